package dev.keelson.registry.service;

import java.time.Duration;

/** Counts allocations (source: the metrics of kube-apiserver's allocators). */
public interface AllocationMetrics {

  /** Whether a value was requested or chosen by the allocator. */
  enum Scope {
    STATIC,
    DYNAMIC
  }

  /** An address was allocated from a range. */
  void addressAllocated(AddressBlock block, Scope scope, Duration took);

  /** An address could not be allocated from a range. */
  void addressRefused(AddressBlock block, Scope scope);

  /** A node port was allocated. */
  void portAllocated(Scope scope);

  /** A node port could not be allocated. */
  void portRefused(Scope scope);

  /** Counts nothing. */
  AllocationMetrics NONE =
      new AllocationMetrics() {
        @Override
        public void addressAllocated(AddressBlock block, Scope scope, Duration took) {}

        @Override
        public void addressRefused(AddressBlock block, Scope scope) {}

        @Override
        public void portAllocated(Scope scope) {}

        @Override
        public void portRefused(Scope scope) {}
      };
}
