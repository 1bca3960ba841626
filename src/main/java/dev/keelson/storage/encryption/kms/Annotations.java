package dev.keelson.storage.encryption.kms;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.keelson.storage.Bytes;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A protobuf map from names to bytes. Not safe for use by several threads. */
final class Annotations {

  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final int MOST_NAME = 253;

  private final Map<String, Bytes> values = new LinkedHashMap<>();

  Map<String, Bytes> values() {
    return values;
  }

  /** Reads one entry. */
  void read(CodedInputStream in) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    String name = "";
    Bytes value = Bytes.EMPTY;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | 2 -> name = in.readStringRequireUtf8();
        case 2 << 3 | 2 -> value = Bytes.wrap(in.readByteArray());
        default -> {
          boolean unused = in.skipField(tag);
        }
      }
    }
    in.popLimit(limit);
    values.put(name, value);
  }

  /** The size of the map as a field. */
  static int size(int field, Map<String, Bytes> annotations) {
    int size = 0;
    for (Map.Entry<String, Bytes> entry : annotations.entrySet()) {
      int length = entrySize(entry);
      size +=
          CodedOutputStream.computeTagSize(field)
              + CodedOutputStream.computeUInt32SizeNoTag(length)
              + length;
    }
    return size;
  }

  private static int entrySize(Map.Entry<String, Bytes> entry) {
    return CodedOutputStream.computeStringSize(1, entry.getKey())
        + Fields.size(2, entry.getValue());
  }

  /** Writes the map in the order of names. */
  static void write(CodedOutputStream out, int field, Map<String, Bytes> annotations)
      throws IOException {
    for (Map.Entry<String, Bytes> entry : new TreeMap<>(annotations).entrySet()) {
      out.writeTag(field, 2);
      out.writeUInt32NoTag(entrySize(entry));
      out.writeString(1, entry.getKey());
      Fields.write(out, 2, entry.getValue());
    }
  }

  /**
   * What is wrong with a name, which must be a fully qualified domain name; empty if nothing is
   * (apimachinery pkg/util/validation, IsFullyQualifiedDomainName).
   */
  static String nameError(String name) {
    if (name.isEmpty()) {
      return "annotations: Required value";
    }
    String domain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    String invalid = "annotations: Invalid value: \"" + domain + "\": ";
    if (domain.length() > MOST_NAME || !SUBDOMAIN.matcher(domain).matches()) {
      return invalid + "a lowercase RFC 1123 subdomain is expected";
    }
    return domain.contains(".")
        ? ""
        : invalid + "should be a domain with at least two segments separated by dots";
  }
}
