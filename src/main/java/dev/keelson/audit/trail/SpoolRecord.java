package dev.keelson.audit.trail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The bytes of an event in the spool, without the frame around them. */
final class SpoolRecord {

  private SpoolRecord() {}

  static byte[] encode(TrailEvent event) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(event.json().length + 512);
    DataOutputStream out = new DataOutputStream(bytes);
    text(out, event.id());
    Instant time = event.time();
    out.writeLong(time.getEpochSecond());
    out.writeInt(time.getNano());
    out.writeInt(event.columns().size());
    for (String column : event.columns()) {
      text(out, column);
    }
    text(out, event.text());
    out.writeInt(event.json().length);
    out.write(event.json());
    return bytes.toByteArray();
  }

  /**
   * Decodes an event.
   *
   * @throws IOException if the bytes are not those of an event of this version
   */
  static TrailEvent decode(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      String id = text(in);
      Instant time = Instant.ofEpochSecond(in.readLong(), in.readInt());
      int count = in.readInt();
      if (count != TrailField.values().length) {
        throw new IOException("an event with %d columns".formatted(count));
      }
      List<String> columns = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        columns.add(text(in));
      }
      return new TrailEvent(id, time, columns, text(in), bytes(in));
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a field of %d bytes".formatted(length));
    }
    return in.readNBytes(length);
  }
}
