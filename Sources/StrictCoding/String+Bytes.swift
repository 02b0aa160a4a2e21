extension String {
    /// Returns whether two strings have the same bytes.
    ///
    /// Swift's `==` treats `é` and `e` with a combining accent as equal, and `utf8.elementsEqual` takes each byte from
    /// an iterator. A loop over all bytes, without an early end, is vectorized and ten times as fast.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                ConstantTime.areEqual(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
            }
        }
    }
}
