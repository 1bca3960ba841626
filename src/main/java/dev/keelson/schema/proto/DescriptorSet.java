package dev.keelson.schema.proto;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A serialised FileDescriptorSet that is looked into only where somebody asks. Safe for use by
 * several threads.
 *
 * <p>The set is split by file when it is opened; the messages of a package are located, by skipping
 * over their bytes, when a name in it is first asked for; a message is parsed when its fields are.
 * protobuf's own descriptor classes are not used: they would parse everything at once, and their
 * static initialisers cost more than all of this.
 */
final class DescriptorSet {

  private static final int SET_FILE = 1;
  private static final int FILE_PACKAGE = 2;
  private static final int FILE_MESSAGE = 4;
  private static final int MESSAGE_NAME = 1;

  /** A part of {@link #bytes}. */
  record Slice(int offset, int length) {}

  private final byte[] bytes;
  private final Map<String, List<Slice>> filesByPackage;
  private final Map<String, Map<String, Slice>> messagesByPackage = new ConcurrentHashMap<>();

  private DescriptorSet(byte[] bytes, Map<String, List<Slice>> filesByPackage) {
    this.bytes = bytes;
    this.filesByPackage = filesByPackage;
  }

  /**
   * The set in the class path resource {@code name}.
   *
   * @throws IllegalStateException if the build did not put it there
   */
  static DescriptorSet ofResource(String name) {
    try (InputStream in = DescriptorSet.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks " + name);
      }
      return of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /** The set that {@code bytes} are. */
  static DescriptorSet of(byte[] bytes) {
    Map<String, List<Slice>> files = new HashMap<>();
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (WireFormat.getTagFieldNumber(tag) == SET_FILE) {
          Slice file = slice(in, 0);
          files.computeIfAbsent(packageOf(bytes, file), any -> new ArrayList<>(1)).add(file);
        } else {
          in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("malformed descriptor set", e);
    }
    return new DescriptorSet(bytes, files);
  }

  /** Where the message is, or null if there is none of that full name. */
  @Nullable Slice find(String messageName) {
    int dot = messageName.lastIndexOf('.');
    if (dot < 0) {
      return null;
    }
    return messages(messageName.substring(0, dot)).get(messageName.substring(dot + 1));
  }

  /** The files of a package. */
  List<Slice> files(String packageName) {
    return filesByPackage.getOrDefault(packageName, List.of());
  }

  /** A reader over one slice. */
  CodedInputStream open(Slice slice) {
    return CodedInputStream.newInstance(bytes, slice.offset, slice.length);
  }

  /**
   * Takes a length-delimited field's content as a slice and moves over it.
   *
   * @param base where the reader's first byte is in the set
   */
  static Slice slice(CodedInputStream in, int base) throws IOException {
    int length = in.readRawVarint32();
    Slice slice = new Slice(base + in.getTotalBytesRead(), length);
    in.skipRawBytes(length);
    return slice;
  }

  private Map<String, Slice> messages(String packageName) {
    // not computeIfAbsent on a missing package: names come from requests too
    return filesByPackage.containsKey(packageName)
        ? messagesByPackage.computeIfAbsent(packageName, this::locate)
        : Map.of();
  }

  private Map<String, Slice> locate(String packageName) {
    Map<String, Slice> found = new HashMap<>();
    try {
      for (Slice file : files(packageName)) {
        CodedInputStream in = open(file);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          if (WireFormat.getTagFieldNumber(tag) == FILE_MESSAGE) {
            Slice message = slice(in, file.offset);
            found.put(text(message, MESSAGE_NAME), message);
          } else {
            in.skipField(tag);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("malformed descriptors of " + packageName, e);
    }
    return Map.copyOf(found);
  }

  private String text(Slice slice, int field) throws IOException {
    return text(open(slice), field);
  }

  private static String packageOf(byte[] bytes, Slice file) throws IOException {
    return text(CodedInputStream.newInstance(bytes, file.offset, file.length), FILE_PACKAGE);
  }

  private static String text(CodedInputStream in, int field) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == field) {
        return in.readString();
      }
      in.skipField(tag);
    }
    return "";
  }
}
