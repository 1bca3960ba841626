package dev.keelson.registry.service;

import java.util.List;

/** The ranges of all ServiceCIDRs that are ready. Safe for use by several threads. */
@FunctionalInterface
public interface ServiceCidrs {

  /**
   * The ranges from which addresses can be allocated now, each once. Includes every change of a
   * ServiceCIDR that this server has answered; throws what the store throws.
   */
  List<AddressBlock> ready();
}
