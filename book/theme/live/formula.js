// Formulas of live kernels, whose names are their parameters.
"use strict";
(() => {
    const book = globalThis.warpbook;

    // The value of a formula as live.toml has them: whole numbers, names, + - * / %, brackets, ceil, up, min, max.
    // In a `real` one division leaves no rest.
    function evaluate(formula, values, real = false) {
        if (typeof formula === "number") return formula;
        const tokens = String(formula).match(/\d+(?:\.\d+)?|[A-Za-z_]\w*|[-+*/%(),]/g) ?? [];
        let at = 0;
        const calls = { ceil: (a, b) => Math.ceil(a / b), up: (a, b) => Math.ceil(a / b) * b, min: Math.min, max: Math.max };
        const one = () => {
            const token = tokens[at++];
            if (token === "-") return -one();
            if (token === "(") {
                const value = sum();
                at++;
                return value;
            }
            if (calls[token]) {
                at++;
                const a = sum();
                at++;
                const b = sum();
                at++;
                return calls[token](a, b);
            }
            return /^\d/.test(token) ? Number(token) : (values[token] ?? NaN);
        };
        const product = () => {
            let left = one();
            while (["*", "/", "%"].includes(tokens[at])) {
                const operator = tokens[at++];
                const right = one();
                left = operator === "*" ? left * right : operator === "/" ? (real ? left / right : Math.floor(left / right)) : left - right * Math.floor(left / right);
            }
            return left;
        };
        const sum = () => {
            let left = product();
            while (["+", "-"].includes(tokens[at])) left += tokens[at++] === "+" ? product() : -product();
            return left;
        };
        return sum();
    }

    Object.assign(book, { evaluate });
})();
