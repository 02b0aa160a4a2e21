import SystemPackage

/// The way to a file: every folder and symbolic link on its path, and the file, as the system finds them.
///
/// The file is opened by the path that the way ended with, which has no links. If nobody else can change a location on the
/// way, nobody else can change what that path leads to: for that, a location would have to be replaced.
struct FileRoute {
    private static let maximumLinks = 40

    private(set) var locations: [FileLocation] = []
    /// The error that ended the way before the file; nil if there was none.
    private(set) var failure: Errno?
    /// The path without links, as far as the way leads.
    private(set) var path = FilePath("/")

    /// Follows the way to a file, which begins in the current folder if the path is relative.
    init(_ path: FilePath) {
        do {
            try follow(path)
        } catch {
            failure = error as? Errno ?? .ioError
        }
    }

    private mutating func follow(_ named: FilePath) throws {
        var rest = Array(named.components.reversed())
        if named.isRelative { rest += try Self.path { getcwd($0, $1) != nil }.components.reversed() }
        locations = [try FileLocation(path)]
        var links = 0
        while let component = rest.popLast() {
            if component.kind == .parentDirectory { path.removeLastComponent() }
            guard component.kind == .regular else { continue }
            let next = path.appending(component)
            let location = try FileLocation(next, in: path)
            locations.append(location)
            guard location.isLink else {
                path = next
                continue
            }
            links += 1
            guard links <= Self.maximumLinks else { throw Errno.tooManySymbolicLinkLevels }
            let target = try Self.path { readlink(next.string, $0, $1) > 0 }
            if target.isAbsolute { path = FilePath("/") }
            rest += target.components.reversed()
        }
    }

    /// Returns the path that a function of the system writes.
    private static func path(
        _ write: (UnsafeMutablePointer<CChar>, _ size: Int) -> Bool
    ) throws -> FilePath {
        // The last byte stays zero.
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard write(&bytes, Int(PATH_MAX)) else { throw Errno(rawValue: errno) }
        return FilePath(platformString: bytes)
    }
}
