package dev.keelson.registry.service;

import dev.keelson.registry.service.AllocationMetrics.Scope;
import dev.keelson.value.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Allocates Service addresses from the ranges of all ready ServiceCIDRs (source: kube-apiserver's
 * MetaAllocator). Safe for use by several threads.
 */
public final class AddressAllocator {

  private final ServiceCidrs cidrs;
  private final StoredAddresses stored;
  private final KnownAddresses known;
  private final AllocationMetrics metrics;
  private final RandomGenerator random;
  private final LongSupplier nanos;

  /**
   * @param known tells which addresses need not be tried
   * @param random safe for use by several threads
   * @param nanos a clock in nanoseconds, for the metrics
   */
  public AddressAllocator(
      ServiceCidrs cidrs,
      StoredAddresses stored,
      KnownAddresses known,
      AllocationMetrics metrics,
      RandomGenerator random,
      LongSupplier nanos) {
    this.cidrs = cidrs;
    this.stored = stored;
    this.known = known;
    this.metrics = metrics;
    this.random = random;
    this.nanos = nanos;
  }

  /**
   * Allocates the address that a Service requests.
   *
   * @param dryRun whether to check only that it is free
   * @return why it cannot be allocated; empty if it was
   */
  String allocate(IpAddress address, ServiceName service, boolean dryRun) {
    long begin = nanos.getAsLong();
    AddressBlock block = null;
    for (AddressBlock each : cidrs.ready()) {
      if (each.usable() && each.contains(address)) {
        block = each;
        // one in a smaller range may be the broadcast address of that one alone
        if (each.isAllocatable(address)) {
          break;
        }
      }
    }
    if (block == null) {
      return "the provided network does not match the current range";
    }
    if (!block.isAllocatable(address)) {
      metrics.addressRefused(block, Scope.STATIC);
      return "the provided IP ("
          + address
          + ") is not in the valid range. The range of valid IPs is "
          + block;
    }
    String name = address.toString();
    boolean free = dryRun ? !stored.exists(name) : stored.create(name, service);
    if (!free) {
      metrics.addressRefused(block, Scope.STATIC);
      return "provided IP is already allocated";
    }
    if (!dryRun) {
      metrics.addressAllocated(block, Scope.STATIC, since(begin));
    }
    return "";
  }

  /**
   * Allocates any address of a family.
   *
   * @param dryRun whether to choose only one that is free
   * @return empty if no range that is ready has a free address
   */
  Optional<String> allocateNext(String family, ServiceName service, boolean dryRun) {
    List<AddressBlock> blocks = new ArrayList<>();
    for (AddressBlock block : cidrs.ready()) {
      if (block.usable() && block.family().equals(family)) {
        blocks.add(block);
      }
    }
    Collections.shuffle(blocks, Random.from(random));
    for (AddressBlock block : blocks) {
      long begin = nanos.getAsLong();
      Optional<String> address = fromBlock(block, service, dryRun);
      if (address.isEmpty()) {
        metrics.addressRefused(block, Scope.DYNAMIC);
      } else if (!dryRun) {
        metrics.addressAllocated(block, Scope.DYNAMIC, since(begin));
      }
      if (address.isPresent()) {
        return address;
      }
    }
    return Optional.empty();
  }

  private Duration since(long begin) {
    return Duration.ofNanos(nanos.getAsLong() - begin);
  }

  /** Tries the upper band first, then the one for static allocation. */
  private Optional<String> fromBlock(AddressBlock block, ServiceName service, boolean dryRun) {
    long size = block.size();
    long band = Math.min(block.staticBand(), size);
    Optional<String> address = fromBand(block, band + 1, size, service, dryRun);
    return address.isPresent() ? address : fromBand(block, 1, band, service, dryRun);
  }

  /** Tries every address of a band once, from a random one on. */
  private Optional<String> fromBand(
      AddressBlock block, long first, long last, ServiceName service, boolean dryRun) {
    long count = last - first + 1;
    if (count <= 0) {
      return Optional.empty();
    }
    long start = random.nextLong(count);
    for (long i = 0; i < count; i++) {
      long index = start < count - i ? start + i : start - (count - i);
      String address = block.text(first + index);
      if (!known.contains(address)
          && (dryRun ? !stored.exists(address) : stored.create(address, service))) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  /** Releases an address if it is the Service's. */
  void release(String address, ServiceName service) {
    stored.delete(address, service);
  }
}
