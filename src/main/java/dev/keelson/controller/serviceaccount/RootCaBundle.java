package dev.keelson.controller.serviceaccount;

import java.util.regex.Pattern;

/**
 * The certificates by which pods know the servers, as PEM. Servers of one cluster may each have an
 * authority of their own; the bundle then has all of them, so that none takes out what another one
 * put in and they come to rest.
 */
final class RootCaBundle {

  private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
  private static final String END = "-----END CERTIFICATE-----";
  private static final Pattern CERTIFICATES =
      Pattern.compile("(" + BEGIN + "[A-Za-z0-9+/=\\s]++" + END + "\\s*+)++");

  /** With more, the bundle is begun anew. */
  private static final int MOST_CERTIFICATES = 10;

  private RootCaBundle() {}

  /**
   * What {@code present} is to become.
   *
   * @param present what is there, maybe nothing or no certificates at all
   * @param own the certificate of this server
   */
  static String with(String present, String own) {
    if (present.split(BEGIN, -1).length > MOST_CERTIFICATES + 1
        || !CERTIFICATES.matcher(present).matches()) {
      return own;
    }
    if (present.contains(own.strip())) {
      return present;
    }
    return present.stripTrailing() + "\n" + own;
  }
}
