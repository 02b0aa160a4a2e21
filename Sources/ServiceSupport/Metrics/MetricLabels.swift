/// The labels that distinguish the series of a metric.
///
/// Their values are cases of enums or names in the configuration, so that their number is bounded: never an ID or a text of a
/// caller's.
package protocol MetricLabels: Hashable, Sendable {
    /// The names and values.
    var dimensions: [(String, String)] { get }
}
