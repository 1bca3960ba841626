package dev.keelson.controller.serviceaccount;

import dev.keelson.pem.PemBlock;
import dev.keelson.pem.PemBlocks;
import dev.keelson.pem.PemCertificates;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The CA bundle of pods in PEM. If the servers of one cluster have different CAs, the bundle has
 * all of them, so that the servers do not overwrite each other.
 */
final class RootCaBundle {

  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** Maximum number of certificates; a larger bundle is replaced. */
  private static final int MOST_CERTIFICATES = 10;

  private RootCaBundle() {}

  /**
   * Adds the server's CA to a bundle.
   *
   * @param present the existing bundle; may be empty or malformed
   * @param own the CA certificate of this server
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
