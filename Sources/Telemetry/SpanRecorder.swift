package import HTTPTypes
package import Tracing

/// Records spans with the tracer that was registered when the service started.
///
/// Names and attributes follow OpenTelemetry's semantic conventions. No span has a secret, a token, an ID or a path.
package struct SpanRecorder: Sendable {
    private let tracer: any Tracer

    /// Creates a recorder for a tracer.
    package init(_ tracer: any Tracer) {
        self.tracer = tracer
    }

    /// Returns a recorder for the tracer of `InstrumentationSystem`; nil if none is registered.
    ///
    /// Called once, at the start. Without a tracer nothing of this is part of the service, so a request costs no more.
    package static func registered() -> SpanRecorder? {
        let tracer = InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : SpanRecorder(tracer)
    }

    /// Records an operation as a span.
    ///
    /// An error fails the span with the error's type, because its text could name an ID.
    ///
    /// - Parameters:
    ///   - name: The name, one of a few.
    ///   - kind: The role in the trace.
    ///   - context: The parent's context; by default, that of the current span.
    ///   - attributes: The attributes that are known before.
    ///   - operation: The operation, whose spans become children of this one.
    /// - Returns: The operation's result.
    package func record<Result>(
        _ name: String,
        _ kind: SpanKind,
        in context: InstrumentationContext? = nil,
        _ attributes: SpanAttributes = [:],
        _ operation: (any Span) async throws -> Result
    ) async rethrows -> Result {
        let span = tracer.startSpan(name, context: context ?? .current ?? .topLevel, ofKind: kind)
        defer { span.end() }
        span.attributes = attributes
        do {
            return try await InstrumentationContext.withValue(span.context) { try await operation(span) }
        } catch {
            span.fail("\(type(of: error))")
            throw error
        }
    }

    /// Returns the context that the caller of a request sent.
    package func context(of fields: HTTPFields) -> InstrumentationContext {
        var context = InstrumentationContext.topLevel
        tracer.extract(fields, into: &context, using: HTTPFieldsCarrier())
        return context
    }

    /// Replaces the context in header fields by a span's.
    package func inject(_ span: any Span, into fields: inout HTTPFields) {
        tracer.inject(span.context, into: &fields, using: HTTPFieldsCarrier())
    }

    /// Returns the header fields with which a request continues a span's trace.
    package func fields(of span: any Span) -> [(name: String, value: String)] {
        var fields = HTTPFields()
        inject(span, into: &fields)
        return fields.map { ($0.name.rawName, $0.value) }
    }
}

extension Span {
    /// Marks the operation as failed.
    ///
    /// - Parameter type: What failed: a status code, or the type of an error.
    package func fail(_ type: String) {
        attributes["error.type"] = type
        setStatus(SpanStatus(code: .error))
    }
}

private struct HTTPFieldsCarrier: Extractor, Injector {
    func extract(key: String, from fields: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { fields[$0] }
    }

    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        if let name = HTTPField.Name(key) { fields[name] = value }
    }
}
