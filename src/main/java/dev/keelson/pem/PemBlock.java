package dev.keelson.pem;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * One block of PEM.
 *
 * @param type the label after BEGIN, for example {@code CERTIFICATE}
 * @param headers the headers of RFC 1421, for example {@code Proc-Type}; empty for most blocks
 * @param der the decoded content; not copied, so neither side may change it
 */
@SuppressWarnings("ArrayRecordComponent") // short-lived and never compared
public record PemBlock(String type, Map<String, String> headers, byte[] der) {

  public PemBlock {
    headers = Map.copyOf(headers);
  }

  /** A block without headers. */
  public PemBlock(String type, byte[] der) {
    this(type, Map.of(), der);
  }

  /** Whether the content is encrypted: by its type (RFC 5958) or its headers (RFC 1421). */
  boolean isEncrypted() {
    return type.startsWith("ENCRYPTED ")
        || headers.getOrDefault("Proc-Type", "").endsWith("ENCRYPTED");
  }

  /**
   * The block as text, without its headers: lines of 64 characters, with a line feed at the end.
   */
  public String text() {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(type, der));
    } catch (IOException e) {
      throw new IllegalStateException("a text in memory can be written", e);
    }
    return text.toString();
  }
}
