package dev.keelson.schema.validation;

import dev.keelson.value.Cidr;
import dev.keelson.value.GoQuote;
import dev.keelson.value.IpAddress;
import java.util.function.Consumer;

/**
 * Warnings about addresses and networks in other forms than the canonical one (source:
 * GetWarningsForIP and GetWarningsForCIDR of apimachinery's util/validation). No valid object has
 * numbers with leading zeros.
 */
public final class AddressWarnings {

  private static final String FUTURE =
      " will be considered invalid in a future Kubernetes release: use ";

  private AddressWarnings() {}

  /** Warns about the form of each address in a list. */
  public static void warnAboutIps(Value addresses, Consumer<String> warnings) {
    for (Value address : addresses) {
      warnAboutIp(address, warnings);
    }
  }

  /** Warns about the form of an address; passes over what is none. */
  public static void warnAboutIp(Value address, Consumer<String> warnings) {
    String text = address.text();
    IpAddress read = IpAddress.tryParse(text).orElse(null);
    if (read == null) {
      return;
    }
    if (Formats.isMapped(text, read)) {
      warnings.accept(
          address.path()
              + ": non-standard IP address "
              + GoQuote.quote(text)
              + FUTURE
              + GoQuote.quote(read.toString()));
    } else if (text.indexOf(':') >= 0 && !read.toString().equals(text)) {
      warnings.accept(
          address.path()
              + ": IPv6 address "
              + GoQuote.quote(text)
              + " should be in RFC 5952 canonical format ("
              + GoQuote.quote(read.toString())
              + ")");
    }
  }

  /** Warns about the form of a network; passes over what is none. */
  public static void warnAboutCidr(Value network, Consumer<String> warnings) {
    String text = network.text();
    Cidr read = Cidr.tryParse(text).orElse(null);
    if (read == null) {
      return;
    }
    boolean ambiguous = !read.masked().equals(read);
    if (ambiguous) {
      String single = read.address() + "/" + read.address().family().bits();
      warnings.accept(
          network.path()
              + ": CIDR value "
              + GoQuote.quote(text)
              + " is ambiguous in this context (should be "
              + GoQuote.quote(read.masked().toString())
              + " or "
              + GoQuote.quote(single)
              + "?)");
    }
    if (Formats.isMapped(text, read.address())) {
      warnings.accept(
          network.path()
              + ": non-standard CIDR value "
              + GoQuote.quote(text)
              + FUTURE
              + GoQuote.quote(read.masked().toString()));
    } else if (!ambiguous && text.indexOf(':') >= 0 && !read.toString().equals(text)) {
      warnings.accept(
          network.path()
              + ": IPv6 CIDR value "
              + GoQuote.quote(text)
              + " should be in RFC 5952 canonical format ("
              + GoQuote.quote(read.toString())
              + ")");
    }
  }
}
