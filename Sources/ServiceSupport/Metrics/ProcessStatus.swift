/// The state of the process in `/proc` (proc(5)).
struct ProcessStatus: Hashable {
    /// The CPU time of all threads, in user and in kernel mode.
    let processorSeconds: Double
    /// The memory that is in RAM.
    let residentBytes: Int
    /// When it was started, in seconds since the system was.
    let startedSeconds: Double

    static var now: Self? {
        (try? FileContent.read("/proc/self/stat", atMost: 4096)).flatMap {
            Self(parsing: $0, ticks: sysconf(Int32(_SC_CLK_TCK)), pageSize: sysconf(Int32(_SC_PAGESIZE)))
        }
    }

    /// Reads `/proc/self/stat`.
    ///
    /// - Parameters:
    ///   - text: Its content.
    ///   - ticks: How many of its units of time make a second.
    ///   - pageSize: How many bytes one of its units of memory has.
    init?(parsing text: [UInt8], ticks: Int, pageSize: Int) {
        // The second field is the program's name, which may have spaces and parentheses of its own.
        guard ticks > 0, let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            .map { String(decoding: $0, as: UTF8.self) }
        // The first of these is the third of all.
        guard fields.count > 21, let user = Int(fields[11]), let system = Int(fields[12]),
            let started = Int(fields[19]), let pages = Int(fields[21])
        else { return nil }
        processorSeconds = Double(user + system) / Double(ticks)
        startedSeconds = Double(started) / Double(ticks)
        residentBytes = pages * pageSize
    }

    /// When the system was started, in seconds since 1970; `/proc/stat` has the same, where it is not hidden.
    static var bootTime: Double {
        #if os(Linux)
        return seconds(of: CLOCK_REALTIME) - seconds(of: CLOCK_BOOTTIME)
        #else
        return 0
        #endif
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How many descriptors are open, without the one that it takes to count them.
    static var openDescriptors: Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = -3.0
        while readdir(folder) != nil { count += 1 }
        return max(0, count)
    }

    /// How many descriptors may be open.
    static var openable: Double? {
        var limit = rlimit()
        return getrlimit(openFileLimit, &limit) == 0 ? Double(limit.rlim_cur) : nil
    }
}
