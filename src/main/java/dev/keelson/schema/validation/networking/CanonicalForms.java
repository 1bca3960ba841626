package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.Formats;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;

/**
 * The forms of addresses and ranges that newer fields require (source: IsValidIP and IsValidCIDR of
 * apimachinery). Each method returns the problem, or an empty text.
 */
final class CanonicalForms {

  private CanonicalForms() {}

  static String ip(String text) {
    String problem = Formats.IP.apply(text);
    return problem.isEmpty() ? canonical(text, IpAddress.parse(text).toString()) : problem;
  }

  static String cidr(String text) {
    String problem = Formats.CIDR.apply(text);
    return problem.isEmpty() ? canonical(text, Cidr.parse(text).toString()) : problem;
  }

  private static String canonical(String text, String form) {
    return text.equals(form) ? "" : "must be in canonical form (\"" + form + "\")";
  }
}
