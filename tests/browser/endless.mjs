// A kernel without an end, and how it is stopped: the same in every browser.

// Runs for more than a second before its budget is spent.
export const LOOP = `extern "C" __global__ void add(const float *a, const float *b, float *c, int n) { for (volatile int k = 0; k < 2000000000; k++) c[0] = k; }`;

// In the page: presses Stop as soon as it is there, which a driver from outside may be too slow for.
export const stopAtOnce = (place) =>
    new Promise((done) => {
        const stop = [...document.querySelectorAll(`${place} button`)].find((one) => one.textContent === "Stop");
        // Once: later runs are not to be stopped.
        const press = () => stop.hidden || (observer.disconnect(), stop.click(), done());
        const observer = new MutationObserver(press);
        observer.observe(stop, { attributes: true });
        press();
    });
