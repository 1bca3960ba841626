package dev.keelson.controller.serviceaccount;

import dev.keelson.pem.PemBlock;
import dev.keelson.pem.PemBlocks;
import dev.keelson.pem.PemCertificates;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The certificates by which pods know the servers, as PEM. Servers of one cluster may each have an
 * authority of their own; the bundle then has all of them, so that none takes out what another one
 * put in and they come to rest.
 */
final class RootCaBundle {

  private static final Pattern SPACE = Pattern.compile("\\s+");

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
    if (!isBundle(present)) {
      return own;
    }
    if (present.contains(own.strip())) {
      return present;
    }
    return present.stripTrailing() + "\n" + own;
  }

  /** Whether a text is some certificates and, but for white space, nothing else. */
  private static boolean isBundle(String text) {
    List<PemBlock> blocks = PemBlocks.in(text);
    StringBuilder same = new StringBuilder(text.length());
    for (PemBlock block : blocks) {
      if (!block.type().equals(PemCertificates.TYPE)) {
        return false;
      }
      same.append(block.text());
    }
    return !blocks.isEmpty()
        && blocks.size() <= MOST_CERTIFICATES
        && withoutSpace(same).equals(withoutSpace(text));
  }

  private static String withoutSpace(CharSequence text) {
    return SPACE.matcher(text).replaceAll("");
  }
}
