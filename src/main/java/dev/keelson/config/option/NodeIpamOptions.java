package dev.keelson.config.option;

import dev.keelson.value.Cidr;
import java.util.List;

/**
 * Which blocks of addresses nodes get for their pods.
 *
 * @param ranges the ranges of the cluster, one or one of each IP family; empty if nodes get none
 * @param services the ranges of Services, whose addresses no node gets
 */
public record NodeIpamOptions(List<Range> ranges, List<Cidr> services) {

  /** Nodes get no blocks. */
  public static final NodeIpamOptions NONE = new NodeIpamOptions(List.of(), List.of());

  /**
   * A range of the cluster.
   *
   * @param prefixLength that of the block of a node; at most 16 more than that of the range
   */
  public record Range(Cidr cidr, int prefixLength) {}

  public NodeIpamOptions {
    ranges = List.copyOf(ranges);
    services = List.copyOf(services);
  }
}
