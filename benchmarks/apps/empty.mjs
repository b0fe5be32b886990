// The app's first line.
const { user, system } = process.cpuUsage();
console.log(performance.timeOrigin + performance.now(), (user + system) / 1000);
