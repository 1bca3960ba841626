package dev.keelson.controller.ipam;

import dev.keelson.value.Cidr;
import java.util.List;

/**
 * The addresses that nodes get blocks of.
 *
 * @param ranges one, or one of each IP family
 * @param excluded ranges of Services, whose addresses no node gets
 */
public record NodeRanges(List<Range> ranges, List<Cidr> excluded) {

  /**
   * A range of the cluster.
   *
   * @param prefixLength that of the block of a node
   */
  public record Range(Cidr cidr, int prefixLength) {}

  public NodeRanges {
    ranges = List.copyOf(ranges);
    excluded = List.copyOf(excluded);
  }
}
