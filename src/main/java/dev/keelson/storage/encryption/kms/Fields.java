package dev.keelson.storage.encryption.kms;

import com.google.protobuf.CodedOutputStream;
import dev.keelson.storage.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Fields of protobuf messages. */
final class Fields {

  private Fields() {}

  /** Writes fields. */
  @FunctionalInterface
  interface Writer {
    void write(CodedOutputStream out) throws IOException;
  }

  /** A message of {@code size} bytes. */
  static Bytes encode(int size, Writer writer) {
    byte[] bytes = new byte[size];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writer.write(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes what it was made for", e);
    }
    return Bytes.wrap(bytes);
  }

  /** The size of a field of bytes. */
  static int size(int field, Bytes value) {
    return CodedOutputStream.computeTagSize(field)
        + CodedOutputStream.computeUInt32SizeNoTag(value.length())
        + value.length();
  }

  static void write(CodedOutputStream out, int field, Bytes value) throws IOException {
    out.writeByteArray(field, value.backing(), value.offset(), value.length());
  }

  /** The length of {@code text} in UTF-8. */
  static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
