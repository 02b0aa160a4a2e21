import Hummingbird
import NIOCore

/// What the framework knows of a request besides its bytes.
struct RequestContext: InitializableFromSource {
    /// The connection: at its other end is a caller, or a proxy in front of one.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}
