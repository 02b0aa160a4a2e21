/// The loggable text of an error: the text of a ``LoggableError``, and only the type of others.
package struct OperatorMessage: CustomStringConvertible {
    package let description: String

    package init(_ error: any Error) {
        description = (error as? any LoggableError)?.description ?? String(reflecting: type(of: error))
    }
}
