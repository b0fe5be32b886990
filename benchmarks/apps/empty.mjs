// The app's first line.
console.log(performance.timeOrigin + performance.now());
