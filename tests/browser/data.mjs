// Loads, in a page, what it knows of these live kernels: a page loads that of a kernel with its panel.
export const dataOf = async (names) => {
    for (const name of names) {
        await new Promise((done, fail) => document.head.append(Object.assign(document.createElement("script"), { src: `live/data-${name}.js`, onload: done, onerror: fail })));
    }
};
