package dev.keelson.junit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of {@code start.bin}, uncompressed: each is read when it is asked for, by one call of
 * the system. It is not mapped, since the JDK makes a mapped buffer by reflection, for which it
 * spins classes. The build writes it ({@code PackServer}), in this form, in big-endian integers of
 * 32 bits: the count of the files; the bits of a bucket; the length of all names; for each bucket,
 * the first file of it or a later one, and the count; for each file, ordered by the hash of its
 * name, the hash, offset and length of the name, offset and length of the bytes; then the names in
 * ASCII; then the bytes. Offsets begin with the names, or with the bytes. A bucket has the files
 * whose hashes begin with its bits, as unsigned numbers. A class is a file by its binary name.
 * Several files may have one name, in the order of the class path.
 *
 * <p>Safe for use by several threads. Plain arrays, since much of a start is the first run of this
 * code, by the interpreter of the JVM.
 */
final class PackedFiles {

  private static final int HEADER = 3;
  private static final int ENTRY = 5;

  /** Guards its position. */
  private final RandomAccessFile file;

  private final int shift;
  private final int[] buckets;
  private final int[] entries;
  private final byte[] names;
  private final long begin;

  private PackedFiles(RandomAccessFile file) throws IOException {
    this.file = file;
    int[] header = integers(file, HEADER);
    this.shift = Integer.SIZE - header[1];
    this.buckets = integers(file, (1 << header[1]) + 1);
    this.entries = integers(file, header[0] * ENTRY);
    this.names = new byte[header[2]];
    file.readFully(names);
    this.begin = file.getFilePointer();
  }

  static PackedFiles open(Path file) throws IOException {
    return new PackedFiles(new RandomAccessFile(file.toFile(), "r"));
  }

  private static int[] integers(RandomAccessFile file, int count) throws IOException {
    byte[] bytes = new byte[count * Integer.BYTES];
    file.readFully(bytes);
    return integers(bytes);
  }

  private static int[] integers(byte[] bytes) {
    int[] all = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).asIntBuffer().get(all);
    return all;
  }

  /** How many files there are; they are numbered from 0. */
  int count() {
    return entries.length / ENTRY;
  }

  /** The first file of this name; negative if there is none. */
  int find(String name) {
    int hash = name.hashCode();
    int bucket = hash >>> shift;
    for (int entry = buckets[bucket]; entry < buckets[bucket + 1]; entry++) {
      if (isNamed(entry, hash, name)) {
        return entry;
      }
    }
    return -1;
  }

  private boolean isNamed(int entry, int hash, String name) {
    return entries[entry * ENTRY] == hash && name(entry).equals(name);
  }

  /** The name of a file. */
  String name(int entry) {
    int at = entry * ENTRY;
    return new String(names, entries[at + 1], entries[at + 2], StandardCharsets.ISO_8859_1);
  }

  /** The bytes of a file. */
  byte[] read(int entry) {
    int at = entry * ENTRY;
    byte[] bytes = new byte[entries[at + 4]];
    try {
      synchronized (file) {
        file.seek(begin + entries[at + 3]);
        file.readFully(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the files of the server cannot be read", e);
    }
    return bytes;
  }

  /** A file that is there, as integers. */
  int[] integers(String name) {
    return integers(read(find(name)));
  }

  /** A file as a URL that only this object can be read by. */
  URL url(String name, int entry) throws IOException {
    return URL.of(
        java.net.URI.create("keelson:/" + entry + "/" + name.replace(" ", "%20")),
        new URLStreamHandler() {
          @Override
          protected URLConnection openConnection(URL url) {
            return new Connection(url, entry);
          }
        });
  }

  /** The files of this name as URLs. */
  List<URL> urls(String name) throws IOException {
    List<URL> found = new ArrayList<>();
    int first = find(name);
    if (first < 0) {
      return found;
    }
    int hash = name.hashCode();
    for (int entry = first; entry < count() && entries[entry * ENTRY] == hash; entry++) {
      if (isNamed(entry, hash, name)) {
        found.add(url(name, entry));
      }
    }
    return found;
  }

  /** A file as what a URL leads to. */
  private final class Connection extends URLConnection {

    private final int entry;

    Connection(URL url, int entry) {
      super(url);
      this.entry = entry;
    }

    @Override
    public void connect() {
      connected = true;
    }

    @Override
    public long getContentLengthLong() {
      return entries[entry * ENTRY + 4];
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(read(entry));
    }
  }
}
