import Hummingbird
import NIOCore

/// What the framework knows of a request besides its bytes.
struct RequestContext: InitializableFromSource {
    /// Who is at the other end of the connection: a caller, or a proxy in front of one.
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress
    }
}
