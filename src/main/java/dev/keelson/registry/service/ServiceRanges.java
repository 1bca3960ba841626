package dev.keelson.registry.service;

import java.util.List;

/**
 * The ranges of Service addresses and node ports.
 *
 * @param blocks one block, or one of each IP family, the preferred one first
 * @param firstPort the first node port
 * @param lastPort the last node port
 */
public record ServiceRanges(List<AddressBlock> blocks, int firstPort, int lastPort) {
  public ServiceRanges {
    blocks = List.copyOf(blocks);
  }

  boolean dualStack() {
    return blocks.size() > 1;
  }
}
