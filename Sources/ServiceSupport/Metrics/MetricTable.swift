public import Synchronization

/// One instrument for each combination of a metric's labels, created on first use.
///
/// Access takes no lock and, except for the first time, does not allocate.
///
/// ## How it works
///
/// Labels are enums, so all combinations are known when the program is compiled: each has an index into an array of cells, and
/// a cell is empty until its combination is first used.
///
/// ```
/// let requests: MetricTable<Counter, LabelPair<KindLabel, ResultLabel>>
/// requests[.driver, .signed].increment()   // an array access, an atomic load and an atomic addition
/// ```
public struct MetricTable<Instrument: AnyObject & Sendable, Labels: MetricLabels>: Sendable {
    @usableFromInline let cells: [Cell]
    @usableFromInline let make: @Sendable (_ labels: [(name: String, value: String)]) -> Instrument

    /// The instrument with these labels.
    @inlinable public subscript(labels: Labels) -> Instrument {
        let cell = cells[labels.index]
        return cell.load() ?? cell.storeIfNil(make(labels.pairs))
    }

    /// Creates a table with a factory for instruments, which the caller declares.
    package init(make: @escaping @Sendable (_ labels: [(name: String, value: String)]) -> Instrument) {
        self.make = make
        cells = (0..<Labels.count).map { _ in Cell() }
    }

    /// An instrument, once it exists; it then stays.
    ///
    /// `AtomicLazyReference` does the same, but looks up its type for each load.
    @usableFromInline final class Cell: Sendable {
        /// The address of the instrument, which the cell has retained; 0 if there is none.
        @usableFromInline let address = Atomic<UInt>(0)

        init() {}

        deinit { Self.reference(address.load(ordering: .acquiring))?.release() }

        @inlinable static func reference(_ address: UInt) -> Unmanaged<Instrument>? {
            UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
        }

        @inlinable func load() -> Instrument? {
            Self.reference(address.load(ordering: .acquiring))?.takeUnretainedValue()
        }

        @usableFromInline func storeIfNil(_ instrument: Instrument) -> Instrument {
            let new = Unmanaged.passRetained(instrument)
            let (isStored, other) = address.compareExchange(
                expected: 0,
                desired: UInt(bitPattern: new.toOpaque()),
                ordering: .acquiringAndReleasing
            )
            guard !isStored, let existing = Self.reference(other) else { return instrument }
            new.release()
            return existing.takeUnretainedValue()
        }
    }
}

extension MetricTable {
    /// The instrument with these labels.
    @inlinable public subscript<A, B>(a: A, b: B) -> Instrument where Labels == LabelPair<A, B> {
        self[LabelPair(first: a, second: b)]
    }

    /// The instrument with these labels.
    @inlinable public subscript<A, B, C>(a: A, b: B, c: C) -> Instrument where Labels == LabelPair<LabelPair<A, B>, C> {
        self[LabelPair(first: LabelPair(first: a, second: b), second: c)]
    }
}

extension MetricTable where Instrument: PrometheusSeries {
    package init(_ name: String, help: String, in registry: PrometheusRegistry) {
        self.init(make: registry.family(name, help: help))
    }
}

// Public and inlinable, although only this package uses it: code that is not specialized for its labels looks up their
// types each time, which takes longer than counting, and `package` declarations are not specialized in other modules.

/// A label whose values are all known when the program is written: no ID, path or text of a caller's can be one.
public protocol MetricLabel: MetricLabels, CaseIterable, Equatable where AllCases == [Self] {
    static var labelName: String { get }
    /// The value as Prometheus sees it.
    var labelValue: String { get }
}

extension MetricLabel {
    /// The number of values.
    @inlinable public static var count: Int { allCases.count }

    /// The place among all values; there always is one.
    @inlinable public var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The label's name and value.
    public var pairs: [(name: String, value: String)] { [(Self.labelName, labelValue)] }
}

extension MetricLabel where Self: RawRepresentable<String> {
    /// The raw value.
    public var labelValue: String { rawValue }
}

/// The labels that distinguish a metric's time series: one or several.
public protocol MetricLabels: Sendable {
    /// The number of combinations of values.
    static var count: Int { get }
    /// Which of them this is, from zero.
    var index: Int { get }
    /// The names and values.
    var pairs: [(name: String, value: String)] { get }
}

/// Two labels; three are a pair and one more.
public struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    @usableFromInline let first: First
    @usableFromInline let second: Second

    /// Creates a pair of labels.
    @inlinable public init(first: First, second: Second) {
        self.first = first
        self.second = second
    }

    /// The number of pairs of values.
    @inlinable public static var count: Int { First.count * Second.count }

    /// The place among all pairs.
    @inlinable public var index: Int { first.index * Second.count + second.index }

    /// The names and values of both.
    public var pairs: [(name: String, value: String)] { first.pairs + second.pairs }
}
