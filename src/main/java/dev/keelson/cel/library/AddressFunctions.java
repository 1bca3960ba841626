package dev.keelson.cel.library;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.value.Cidr;
import dev.keelson.value.GoQuote;
import dev.keelson.value.IpAddress;
import dev.keelson.value.IpAddress.Family;
import java.util.function.Supplier;

/** Kubernetes' CEL libraries of IP addresses and CIDRs. */
final class AddressFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<IpAddress> IP =
      new Type<>(OpaqueType.create("net.IP"), IpAddress.class);
  private static final Type<Cidr> CIDR = new Type<>(OpaqueType.create("net.CIDR"), Cidr.class);

  private static final String UNREADABLE =
      "network address parse error during conversion from string: ";

  private AddressFunctions() {}

  static void addTo(FunctionDeclarations list) {
    addresses(list);
    networks(list);
  }

  private static void addresses(FunctionDeclarations list) {
    list.global("ip", "string_to_ip", IP.cel(), TEXT, AddressFunctions::address)
        .global("isIP", "is_ip", SimpleType.BOOL, TEXT, text -> isValid(() -> address(text)))
        .global(
            "ip.isCanonical",
            "ip_is_canonical",
            SimpleType.BOOL,
            TEXT,
            text -> address(text).toString().equals(text))
        .global("string", "ip_to_string", SimpleType.STRING, IP, IpAddress::toString)
        .member(
            "family",
            "ip_family",
            SimpleType.INT,
            IP,
            address -> address.family() == Family.IPV4 ? 4L : 6L)
        .member("isUnspecified", "ip_is_unspecified", SimpleType.BOOL, IP, IpAddress::isUnspecified)
        .member("isLoopback", "ip_is_loopback", SimpleType.BOOL, IP, IpAddress::isLoopback)
        .member(
            "isLinkLocalMulticast",
            "ip_is_link_local_multicast",
            SimpleType.BOOL,
            IP,
            IpAddress::isLinkLocalMulticast)
        .member(
            "isLinkLocalUnicast",
            "ip_is_link_local_unicast",
            SimpleType.BOOL,
            IP,
            IpAddress::isLinkLocalUnicast)
        .member(
            "isGlobalUnicast",
            "ip_is_global_unicast",
            SimpleType.BOOL,
            IP,
            IpAddress::isGlobalUnicast);
  }

  private static void networks(FunctionDeclarations list) {
    list.global("cidr", "string_to_cidr", CIDR.cel(), TEXT, AddressFunctions::network)
        .global("isCIDR", "is_cidr", SimpleType.BOOL, TEXT, text -> isValid(() -> network(text)))
        .global("string", "cidr_to_string", SimpleType.STRING, CIDR, Cidr::toString)
        .member("ip", "cidr_ip", IP.cel(), CIDR, Cidr::address)
        .member("masked", "cidr_masked", CIDR.cel(), CIDR, Cidr::masked)
        .member(
            "prefixLength",
            "cidr_prefix_length",
            SimpleType.INT,
            CIDR,
            network -> (long) network.prefixLength())
        .member(
            "containsIP",
            "cidr_contains_ip_string",
            SimpleType.BOOL,
            CIDR,
            TEXT,
            (network, text) -> network.contains(address(text)))
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
            (network, text) -> network.contains(network(text)))
        .member(
            "containsCIDR",
            "cidr_contains_cidr",
            SimpleType.BOOL,
            CIDR,
            CIDR,
            (network, other) -> network.contains(other));
  }

  /**
   * Parses an IP address as {@code netip.ParseAddr}, without zones and IPv4-mapped addresses.
   *
   * @throws IllegalArgumentException with Kubernetes' message if it is malformed
   */
  private static IpAddress address(String text) {
    IpAddress address = IpAddress.tryParse(text).orElse(null);
    if (address == null) {
      throw new IllegalArgumentException(
          hasZone(text)
              ? "IP address " + GoQuote.quote(text) + " with zone value is not allowed"
              : "IP Address "
                  + GoQuote.quote(text)
                  + " parse error during conversion from string: "
                  + AddressErrors.ofAddress(text));
    }
    if (isMapped(address, text)) {
      throw new IllegalArgumentException(mapped(text));
    }
    return address;
  }

  /**
   * Parses a CIDR; its address is restricted as in {@link #address}.
   *
   * @throws IllegalArgumentException with Kubernetes' message if it is malformed
   */
  private static Cidr network(String text) {
    IpAddress address =
        IpAddress.tryParse(text.substring(0, Math.max(0, text.lastIndexOf('/')))).orElse(null);
    if (address != null && isMapped(address, text)) {
      throw new IllegalArgumentException(UNREADABLE + mapped(text));
    }
    return Cidr.tryParse(text)
        .orElseThrow(
            // Kubernetes says it twice
            () ->
                new IllegalArgumentException(
                    UNREADABLE + UNREADABLE + AddressErrors.ofNetwork(text, address != null)));
  }

  /** Whether a text is an IPv6 address with a zone, which no address here has. */
  private static boolean hasZone(String text) {
    int percent = text.indexOf('%');
    return percent > 0
        && percent < text.length() - 1
        && text.indexOf(':') < percent
        && IpAddress.tryParse(text.substring(0, percent)).isPresent();
  }

  private static boolean isMapped(IpAddress address, String text) {
    return address.family() == Family.IPV4 && text.indexOf(':') >= 0;
  }

  private static String mapped(String text) {
    return "IPv4-mapped IPv6 address " + GoQuote.quote(text) + " is not allowed";
  }

  private static boolean isValid(Supplier<?> parse) {
    try {
      Object unused = parse.get();
      return true;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }
}
