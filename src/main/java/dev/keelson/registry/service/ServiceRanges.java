package dev.keelson.registry.service;

import java.util.List;

/**
 * What the flags say about Services. Addresses are allocated from the ranges of ServiceCIDRs.
 *
 * @param blocks the ranges of the default ServiceCIDR: one, or one of each IP family, the preferred
 *     one first; the families of the cluster
 * @param firstPort the first node port
 * @param lastPort the last node port
 */
public record ServiceRanges(List<AddressBlock> blocks, int firstPort, int lastPort) {
  public ServiceRanges {
    blocks = List.copyOf(blocks);
  }
}
