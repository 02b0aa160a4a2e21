import Hummingbird
import Logging

/// What the framework hands over with a request.
struct RequestContext: InitializableFromSource {
    let logger: Logger

    init(source: ApplicationRequestContextSource) {
        logger = source.logger
    }
}
