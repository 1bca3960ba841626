package dev.keelson.schema.proto;

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
 * A serialised FileDescriptorSet that is parsed lazily. Safe for use by several threads.
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
    WireReader in = new WireReader(bytes, 0, bytes.length);
    for (int next = in.next(); next != 0; next = in.next()) {
      if (next == SET_FILE) {
        Slice file = in.slice();
        files.computeIfAbsent(packageOf(bytes, file), any -> new ArrayList<>(1)).add(file);
      } else {
        in.skip();
      }
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
  WireReader open(Slice slice) {
    return new WireReader(bytes, slice.offset(), slice.length());
  }

  private Map<String, Slice> messages(String packageName) {
    // not computeIfAbsent on a missing package: names come from requests too
    return filesByPackage.containsKey(packageName)
        ? messagesByPackage.computeIfAbsent(packageName, this::locate)
        : Map.of();
  }

  private Map<String, Slice> locate(String packageName) {
    Map<String, Slice> found = new HashMap<>();
    for (Slice file : files(packageName)) {
      WireReader in = open(file);
      for (int next = in.next(); next != 0; next = in.next()) {
        if (next == FILE_MESSAGE) {
          Slice message = in.slice();
          found.put(text(message, MESSAGE_NAME), message);
        } else {
          in.skip();
        }
      }
    }
    return found;
  }

  /**
   * The name that Kubernetes gives a package or type. Packages of Go may have hyphens in their
   * names, for which protobuf has underscores.
   */
  static String goName(String protobufName) {
    return protobufName.replace('_', '-');
  }

  private String text(Slice slice, int field) {
    return text(open(slice), field);
  }

  private static String packageOf(byte[] bytes, Slice file) {
    return goName(text(new WireReader(bytes, file.offset(), file.length()), FILE_PACKAGE));
  }

  private static String text(WireReader in, int field) {
    for (int next = in.next(); next != 0; next = in.next()) {
      if (next == field) {
        return in.string();
      }
      in.skip();
    }
    return "";
  }
}
