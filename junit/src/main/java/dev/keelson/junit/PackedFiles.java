package dev.keelson.junit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of {@code start.bin}, mapped into memory: nothing is read or decompressed to find one.
 * The build writes it ({@code PackServer}), in this form, big-endian: the count; for each file,
 * ordered by the hash of its name, the hash, offset and length of the name, offset and length of
 * the bytes; then names and bytes. Several files may have one name, in the order of the class path.
 */
final class PackedFiles {

  private static final int ENTRY_BYTES = 5 * Integer.BYTES;

  private final ByteBuffer all;
  private final int count;

  private PackedFiles(ByteBuffer all) {
    this.all = all;
    this.count = all.getInt(0);
  }

  static PackedFiles open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return new PackedFiles(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
    }
  }

  /** The bytes of the first file of this name; null if there is none. */
  ByteBuffer find(String name) {
    int entry = firstOf(name);
    return entry < 0 ? null : bytes(entry);
  }

  /** The files of this name as URLs that only these objects can be read by. */
  List<URL> urls(String name) throws IOException {
    List<URL> found = new ArrayList<>();
    int first = firstOf(name);
    if (first < 0) {
      return found;
    }
    for (int entry = first; entry < count && hash(entry) == name.hashCode(); entry++) {
      if (name(entry).equals(name)) {
        found.add(url(name, entry));
      }
    }
    return found;
  }

  /** The text of a file that is there. */
  String text(String name) {
    return StandardCharsets.UTF_8.decode(find(name)).toString();
  }

  private int firstOf(String name) {
    int hash = name.hashCode();
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (hash(middle) < hash) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int entry = low; entry < count && hash(entry) == hash; entry++) {
      if (name(entry).equals(name)) {
        return entry;
      }
    }
    return -1;
  }

  private int field(int entry, int field) {
    return all.getInt(Integer.BYTES + entry * ENTRY_BYTES + field * Integer.BYTES);
  }

  private int hash(int entry) {
    return field(entry, 0);
  }

  private String name(int entry) {
    byte[] name = new byte[field(entry, 2)];
    all.get(field(entry, 1), name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private ByteBuffer bytes(int entry) {
    return all.slice(field(entry, 3), field(entry, 4));
  }

  private URL url(String name, int entry) throws IOException {
    return URL.of(
        java.net.URI.create("keelson:/" + entry + "/" + name.replace(" ", "%20")),
        new URLStreamHandler() {
          @Override
          protected URLConnection openConnection(URL url) {
            return new Connection(url, bytes(entry));
          }
        });
  }

  /** A file as what a URL leads to. */
  private static final class Connection extends URLConnection {

    private final ByteBuffer content;

    Connection(URL url, ByteBuffer content) {
      super(url);
      this.content = content;
    }

    @Override
    public void connect() {
      connected = true;
    }

    @Override
    public long getContentLengthLong() {
      return content.remaining();
    }

    @Override
    public InputStream getInputStream() {
      byte[] copy = new byte[content.remaining()];
      content.get(content.position(), copy);
      return new ByteArrayInputStream(copy);
    }
  }
}
