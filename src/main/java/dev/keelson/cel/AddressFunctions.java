package dev.keelson.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.FunctionList.Type;

/** Kubernetes' functions of addresses and networks. */
final class AddressFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Address> IP = new Type<>(OpaqueType.create("net.IP"), Address.class);
  private static final Type<Network> CIDR =
      new Type<>(OpaqueType.create("net.CIDR"), Network.class);

  private AddressFunctions() {}

  static void addTo(FunctionList list) {
    addresses(list);
    networks(list);
  }

  private static void addresses(FunctionList list) {
    list.global("ip", "string_to_ip", IP.cel(), TEXT, Address::parse)
        .global("isIP", "is_ip", SimpleType.BOOL, TEXT, Address::isAddress)
        .global("ip.isCanonical", "ip_is_canonical", SimpleType.BOOL, TEXT, Address::isCanonical)
        .global("string", "ip_to_string", SimpleType.STRING, IP, Address::toString)
        .member("family", "ip_family", SimpleType.INT, IP, Address::family)
        .member("isUnspecified", "ip_is_unspecified", SimpleType.BOOL, IP, Address::isUnspecified)
        .member("isLoopback", "ip_is_loopback", SimpleType.BOOL, IP, Address::isLoopback)
        .member(
            "isLinkLocalMulticast",
            "ip_is_link_local_multicast",
            SimpleType.BOOL,
            IP,
            Address::isLinkLocalMulticast)
        .member(
            "isLinkLocalUnicast",
            "ip_is_link_local_unicast",
            SimpleType.BOOL,
            IP,
            Address::isLinkLocalUnicast)
        .member(
            "isGlobalUnicast",
            "ip_is_global_unicast",
            SimpleType.BOOL,
            IP,
            Address::isGlobalUnicast);
  }

  private static void networks(FunctionList list) {
    list.global("cidr", "string_to_cidr", CIDR.cel(), TEXT, Network::parse)
        .global("isCIDR", "is_cidr", SimpleType.BOOL, TEXT, Network::isNetwork)
        .global("string", "cidr_to_string", SimpleType.STRING, CIDR, Network::toString)
        .member("ip", "cidr_ip", IP.cel(), CIDR, Network::address)
        .member("masked", "cidr_masked", CIDR.cel(), CIDR, Network::masked)
        .member(
            "prefixLength",
            "cidr_prefix_length",
            SimpleType.INT,
            CIDR,
            network -> (long) network.bits())
        .member(
            "containsIP",
            "cidr_contains_ip_string",
            SimpleType.BOOL,
            CIDR,
            TEXT,
            (network, text) -> network.contains(Address.parse(text)))
        .member(
            "containsIP",
            "cidr_contains_ip_ip",
            SimpleType.BOOL,
            CIDR,
            IP,
            (network, address) -> network.contains(address))
        .member(
            "containsCIDR",
            "cidr_contains_cidr_string",
            SimpleType.BOOL,
            CIDR,
            TEXT,
            (network, text) -> network.contains(Network.parse(text)))
        .member(
            "containsCIDR",
            "cidr_contains_cidr",
            SimpleType.BOOL,
            CIDR,
            CIDR,
            (network, other) -> network.contains(other));
  }
}
