import Hummingbird
import NIOCore

/// What the framework knows of a request besides its bytes.
struct RequestContext: InitializableFromSource {
    /// Who is at the other end of the connection: a caller, or a proxy in front of one.
    let peer: SocketAddress?
    /// The names in the client certificate's SAN, if TLS asked for one and it is valid.
    let certificateNames: [String]

    init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress
        certificateNames = []
    }
}
