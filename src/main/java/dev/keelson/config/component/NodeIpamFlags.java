package dev.keelson.config.component;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.NodeIpamOptions;
import dev.keelson.config.option.NodeIpamOptions.Range;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress.Family;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of the blocks of nodes, with the names and defaults of kube-controller-manager. */
final class NodeIpamFlags {

  private static final int IPV4_LENGTH = 24;
  private static final int IPV6_LENGTH = 64;

  /** As many blocks as Kubernetes keeps track of: 65,536 (source: clusterSubnetMaxDiff). */
  private static final int MOST_BITS = 16;

  private static final String ALLOCATOR = "RangeAllocator";

  private final Flag<Boolean> allocate;
  private final Flag<List<Cidr>> clusterCidrs;
  private final Flag<Integer> length;
  private final Flag<Integer> lengthIpv4;
  private final Flag<Integer> lengthIpv6;
  private final Flag<String> allocator;

  NodeIpamFlags(FlagGroup group) {
    allocate =
        group.toggle(
            "allocate-node-cidrs",
            false,
            "Give each node a block of --cluster-cidr for its pods (node-ipam-controller).");
    clusterCidrs =
        group.list(
            "cluster-cidr",
            "CIDR",
            "Ranges of the addresses of pods: one, or one of each IP family. Needs"
                + " --allocate-node-cidrs.",
            Values::range);
    length =
        group.single(
            "node-cidr-mask-size",
            "LENGTH",
            "0",
            "Prefix length of the block of a node, with one range. 0 stands for 24 of IPv4 and 64"
                + " of IPv6.",
            Values.integer(0, 128));
    lengthIpv4 =
        group.single(
            "node-cidr-mask-size-ipv4",
            "LENGTH",
            "0",
            "Prefix length of the IPv4 block of a node. 0 stands for 24.",
            Values.integer(0, 32));
    lengthIpv6 =
        group.single(
            "node-cidr-mask-size-ipv6",
            "LENGTH",
            "0",
            "Prefix length of the IPv6 block of a node. 0 stands for 64.",
            Values.integer(0, 128));
    allocator =
        group.single(
            "cidr-allocator-type",
            "TYPE",
            ALLOCATOR,
            "Who gives blocks to nodes; only RangeAllocator, since the others are of clouds.",
            NodeIpamFlags::allocator);
  }

  private static String allocator(String text) {
    if (text.equals(ALLOCATOR)) {
      return text;
    }
    throw Values.expected(ALLOCATOR, text);
  }

  /**
   * The options.
   *
   * @param services the ranges of Services
   * @throws FlagException naming the invalid flag or the conflicting flags
   */
  NodeIpamOptions options(Settings settings, List<Cidr> services) {
    String unused = settings.value(allocator);
    List<Cidr> cidrs = settings.value(clusterCidrs);
    if (!settings.value(allocate)) {
      return NodeIpamOptions.NONE;
    }
    if (cidrs.isEmpty()) {
      throw new FlagException(allocate.dashed() + " needs " + clusterCidrs.dashed() + " as well");
    }
    if (cidrs.size() > 2
        || (cidrs.size() == 2 && cidrs.getFirst().family() == cidrs.getLast().family())) {
      throw new FlagException(
          clusterCidrs.dashed() + ": one range, or one of each IP family, is expected");
    }
    List<Range> ranges = new ArrayList<>();
    for (Cidr cidr : cidrs) {
      ranges.add(range(settings, cidr, cidrs.size() == 2));
    }
    return new NodeIpamOptions(ranges, services);
  }

  private Range range(Settings settings, Cidr cidr, boolean dual) {
    Flag<Integer> own = cidr.family() == Family.IPV4 ? lengthIpv4 : lengthIpv6;
    Flag<Integer> others = cidr.family() == Family.IPV4 ? lengthIpv6 : lengthIpv4;
    int general = settings.value(length);
    if (general > 0 && (dual || settings.value(own) > 0 || settings.value(others) > 0)) {
      throw new FlagException(
          length.dashed()
              + " is for one range; with two, "
              + lengthIpv4.dashed()
              + " and "
              + lengthIpv6.dashed()
              + " are");
    }
    if (!dual && settings.value(others) > 0) {
      throw new FlagException(
          others.dashed() + ": " + clusterCidrs.dashed() + " has no range of that IP family");
    }
    Flag<Integer> given = general > 0 ? length : settings.value(own) > 0 ? own : null;
    return new Range(cidr.masked(), checked(settings, cidr, given));
  }

  private int checked(Settings settings, Cidr cidr, @Nullable Flag<Integer> given) {
    int standard = cidr.family() == Family.IPV4 ? IPV4_LENGTH : IPV6_LENGTH;
    int prefix = given == null ? standard : settings.value(given);
    String name = given == null ? clusterCidrs.dashed() : given.dashed();
    if (prefix < cidr.prefixLength()
        || prefix > cidr.family().bits()
        || prefix - cidr.prefixLength() > MOST_BITS) {
      throw new FlagException(
          "%s: the blocks of %s must have a prefix length from %d to %d, not %d"
              .formatted(
                  name,
                  cidr,
                  cidr.prefixLength(),
                  Math.min(cidr.family().bits(), cidr.prefixLength() + MOST_BITS),
                  prefix));
    }
    return prefix;
  }
}
