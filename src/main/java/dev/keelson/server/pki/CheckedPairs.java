package dev.keelson.server.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * Remembers in a file which keys, certificates and signers belong together, by a digest of all
 * three, so that a start with the files of the start before signs and verifies nothing: eight
 * operations on elliptic curves, a large part of the time until the server is ready. A file that
 * has changed has another digest and is checked again. Belongs to one thread.
 */
final class CheckedPairs {

  private static final Logger LOG = Logger.getLogger(CheckedPairs.class);

  private final Path file;
  private final Set<String> known;
  private final Set<String> used = new LinkedHashSet<>();

  private CheckedPairs(Path file, Set<String> known) {
    this.file = file;
    this.known = known;
  }

  /** Reads {@code file}; nothing is remembered if it cannot be read. */
  static CheckedPairs read(Path file) {
    try {
      return new CheckedPairs(
          file, Files.exists(file) ? Set.copyOf(Files.readAllLines(file)) : Set.of());
    } catch (IOException e) {
      LOG.debugf(e, "event=pki-checks-unreadable file=%s", file);
      return new CheckedPairs(file, Set.of());
    }
  }

  /**
   * Whether {@code pair} is sound: as remembered, or by {@code check}.
   *
   * @param signer the certificate whose key signed the pair's
   */
  boolean sound(Identity pair, X509Certificate signer, BooleanSupplier check) {
    String digest = digest(pair, signer);
    boolean sound = known.contains(digest) || check.getAsBoolean();
    if (sound) {
      used.add(digest);
    }
    return sound;
  }

  private static String digest(Identity pair, X509Certificate signer) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (byte[] part :
          List.of(pair.key().getEncoded(), pair.certificate().getEncoded(), signer.getEncoded())) {
        sha.update(Integer.toString(part.length).getBytes(StandardCharsets.UTF_8));
        sha.update((byte) ':');
        sha.update(part);
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was read has no bytes", e);
    }
  }

  /** Writes what was found sound, if that was not in the file. */
  void write() {
    if (known.containsAll(used)) {
      return;
    }
    try {
      PrivateFiles.write(file, String.join("\n", used) + "\n");
    } catch (PkiException e) {
      // the next start checks again
      LOG.debugf(e, "event=pki-checks-unwritten file=%s", file);
    }
  }
}
