// A kernel without an end, and how it is stopped: the same in every browser.

// Runs for more than a second before its budget is spent.
export const LOOP = `extern "C" __global__ void add(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (volatile int k = 0; k < 2000000000; k++) if (i < n) c[i] = k; }`;

// In the page, before the kernel is started: from then on presses Stop as soon as it is there, which a driver from outside may be
// too slow for.
export const watchForStop = (place) => {
    const stop = [...document.querySelectorAll(`${place} button`)].find((one) => one.textContent === "Stop");
    window.stopped = new Promise((done) => {
        // Once: later runs are not to be stopped.
        const observer = new MutationObserver(() => stop.hidden || (observer.disconnect(), stop.click(), done()));
        observer.observe(stop, { attributes: true });
        setTimeout(done, 60000);
    });
};
// In the page: waits until it has done so, or for a minute.
export const stopped = () => window.stopped;
