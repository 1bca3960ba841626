import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes the files of the server into the jar of keelson-junit; run by {@code bin/pack-embedded}:
 *
 * <ul>
 *   <li>{@code start.bin}: the classes that a start loads, and every resource, uncompressed behind
 *       an index ({@code PackedFiles} reads it);
 *   <li>{@code native/}: the native libraries;
 *   <li>{@code server.zip}: the jars, for the classes that are loaded later.
 * </ul>
 *
 * <p>Which classes a start loads is recorded by one: of a server that answers a few requests.
 */
public final class PackServer {

  private static final String ORDER = "META-INF/keelson/order";
  private static final String CLASSES = "META-INF/keelson/classes";

  /** Used by a server that is closed while its controllers start; the jars would be unpacked. */
  private static final Set<String> CLOSING =
      Set.of(
          "dev.keelson.http.StorageErrors",
          "dev.keelson.storage.StorageException$NoSpace",
          "dev.keelson.client.rest.StatusErrors");

  private PackServer() {}

  /** A file of the index: its name, and its bytes. */
  private record Packed(String name, byte[] bytes) {
    int hash() {
      return name.hashCode();
    }
  }

  public static void main(String... arguments) throws Exception {
    Path jars = Path.of(arguments[0]);
    Path directory = Path.of(arguments[1]);
    Path policy = Path.of(arguments[2]);
    List<Path> files;
    try (var listed = Files.list(jars)) {
      files =
          listed
              .filter(file -> file.toString().endsWith(".jar"))
              // the embedded server has the TLS of the JDK
              .filter(file -> !file.getFileName().toString().contains("netty-tcnative"))
              .sorted()
              .toList();
    }
    Files.createDirectories(directory);
    Path keys = Files.createTempDirectory("keelson-keys");
    // the first makes keys and checks them, as PreparedKeys does; the classes of that are packed
    Set<String> loaded = new HashSet<>(Recording.of(files, policy, Map.of(), keys).loaded());
    loaded.addAll(Recording.of(files, policy, Map.of(), keys).loaded());
    loaded.addAll(CLOSING);
    Map<String, byte[]> desugared = desugared(files, loaded);
    Recording recording = Recording.of(files, policy, desugared, keys);
    writeStart(files, recording, desugared, directory);
    writeJars(files, directory.resolve("server.zip"));
    System.out.printf("keelson-junit: %d classes of a start%n", recording.order().size());
    // the recorded server has threads that are not daemons
    Runtime.getRuntime().halt(0);
  }

  /** These classes, without what the JVM would make classes for. */
  private static Map<String, byte[]> desugared(List<Path> jars, Set<String> names)
      throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    forEachFile(
        jars,
        (name, bytes) -> {
          if (name.endsWith(".class")) {
            all.putIfAbsent(className(name), bytes.read());
          }
        });
    Desugared desugared =
        Desugared.of(
            ClassHierarchyResolver.ofResourceParsing(
                    type -> {
                      byte[] bytes =
                          all.get(
                              type.descriptorString()
                                  .substring(1, type.descriptorString().length() - 1)
                                  .replace('/', '.'));
                      return bytes == null ? null : new ByteArrayInputStream(bytes);
                    })
                .orElse(
                    ClassHierarchyResolver.ofResourceParsing(ClassLoader.getPlatformClassLoader()))
                .cached());
    for (String name : names) {
      desugared.add(name, all.get(name));
    }
    for (String name : desugared.nests()) {
      if (!names.contains(name)) {
        desugared.add(name, all.get(name));
      }
    }
    desugared.failed().forEach(each -> System.out.println("keelson-junit: unchanged " + each));
    return desugared.classes();
  }

  /** Reads the contents of a file of a jar. */
  @FunctionalInterface
  private interface Contents {
    byte[] read() throws IOException;
  }

  /** Takes a file of a jar. */
  @FunctionalInterface
  private interface FileVisitor {
    void visit(String name, Contents contents) throws IOException;
  }

  /**
   * Visits each file of the jars; of multi-release jars, those of this release, by the base name.
   */
  private static void forEachFile(List<Path> jars, FileVisitor visitor) throws IOException {
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
        for (JarEntry entry : jar.versionedStream().toList()) {
          String name = entry.getName();
          if (!entry.isDirectory() && !name.startsWith("META-INF/versions/") && !isHidden(name)) {
            visitor.visit(
                name,
                () -> {
                  try (InputStream stream = jar.getInputStream(entry)) {
                    return stream.readAllBytes();
                  }
                });
          }
        }
      }
    }
  }

  private static void writeStart(
      List<Path> jars, Recording recording, Map<String, byte[]> desugared, Path directory)
      throws IOException {
    List<Packed> packed = new ArrayList<>();
    Set<String> once = new HashSet<>();
    Set<Integer> hashes = new TreeSet<>();
    desugared.forEach(
        (name, bytes) -> {
          if (!isOfPlatform(name)) {
            once.add(name);
            packed.add(new Packed(name, bytes));
          }
        });
    forEachFile(
        jars,
        (name, contents) -> {
          boolean isClass = name.endsWith(".class");
          String packedName = isClass ? className(name) : name;
          if (isClass) {
            hashes.add(packedName.hashCode());
          }
          if (isNative(name)) {
            Path target = directory.resolve("native").resolve(name);
            Files.createDirectories(target.getParent());
            Files.write(target, contents.read());
          } else if (isClass
              ? recording.loaded().contains(packedName)
                  && !isOfPlatform(packedName)
                  && once.add(packedName)
              : !isLeftOut(name)) {
            packed.add(new Packed(packedName, contents.read()));
          }
        });
    packed.add(new Packed(ORDER, new byte[recording.order().size() * Integer.BYTES]));
    ByteBuffer classes = ByteBuffer.allocate(hashes.size() * Integer.BYTES);
    hashes.forEach(classes::putInt);
    packed.add(new Packed(CLASSES, classes.array()));
    write(packed, recording.order(), directory.resolve("start.bin"));
  }

  /** Whether the JDK has a class of this name, which is loaded in place of that of the jars. */
  private static boolean isOfPlatform(String name) {
    try {
      Class<?> unused = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String className(String file) {
    return file.substring(0, file.length() - ".class".length()).replace('/', '.');
  }

  private static boolean isNative(String name) {
    return name.matches(".*\\.(so|dll|dylib|jnilib)");
  }

  private static boolean isHidden(String name) {
    return name.endsWith(".class") && className(name).equals(Recording.HIDDEN);
  }

  /** What nothing reads at run time; it stays in the jars. */
  private static boolean isLeftOut(String name) {
    return name.startsWith("META-INF/maven/")
        || name.startsWith("META-INF/quarkus-")
        || name.matches("META-INF/[^/]*\\.(SF|DSA|RSA|EC|MF|LIST|idx)|META-INF/(LICENSE|NOTICE).*")
        || name.endsWith("module-info.class")
        || name.matches(".*\\.(proto|xsd)");
  }

  /** Writes {@code start.bin} in the form that {@code PackedFiles} describes. */
  private static void write(List<Packed> packed, List<String> order, Path file) throws IOException {
    List<Packed> sorted = new ArrayList<>(packed);
    // stable: files of one name stay in the order of the class path
    sorted.sort((one, other) -> Integer.compareUnsigned(one.hash(), other.hash()));
    putOrder(sorted, order);
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(sorted.size());
    int[] buckets = new int[(1 << bits) + 1];
    for (Packed each : sorted) {
      buckets[(each.hash() >>> (Integer.SIZE - bits)) + 1]++;
    }
    for (int i = 1; i < buckets.length; i++) {
      buckets[i] += buckets[i - 1];
    }
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteArrayOutputStream index = new ByteArrayOutputStream();
    DataOutputStream entries = new DataOutputStream(index);
    for (Packed each : sorted) {
      byte[] name = each.name().getBytes(StandardCharsets.US_ASCII);
      if (!new String(name, StandardCharsets.US_ASCII).equals(each.name())) {
        throw new IOException("a name is not ASCII: " + each.name());
      }
      entries.writeInt(each.hash());
      entries.writeInt(names.size());
      entries.writeInt(name.length);
      entries.writeInt(bytes.size());
      entries.writeInt(each.bytes().length);
      names.writeBytes(name);
      bytes.writeBytes(each.bytes());
    }
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(sorted.size());
      out.writeInt(bits);
      out.writeInt(names.size());
      for (int first : buckets) {
        out.writeInt(first);
      }
      index.writeTo(out);
      names.writeTo(out);
      bytes.writeTo(out);
    }
  }

  /** Fills in the order: the numbers of the classes, as {@code ServerClasses} describes them. */
  private static void putOrder(List<Packed> sorted, List<String> order) throws IOException {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < sorted.size(); i++) {
      numbers.putIfAbsent(sorted.get(i).name(), i);
    }
    ByteBuffer ordered = ByteBuffer.wrap(sorted.get(numbers.get(ORDER)).bytes());
    for (String each : order) {
      boolean loadedOnly = each.startsWith(Recording.LOADED_ONLY);
      String name = loadedOnly ? each.substring(Recording.LOADED_ONLY.length()) : each;
      if (each.equals(Recording.STARTED)) {
        ordered.putInt(-1);
      } else if (numbers.containsKey(name)) {
        ordered.putInt(numbers.get(name) * 2 + (loadedOnly ? 1 : 0));
      } else {
        throw new IOException("a class of the order is not packed: " + name);
      }
    }
  }

  /**
   * Without the signatures: a package has one signer, and classes of it come from {@code start.bin}
   * as well. Not compressed where the entry is already.
   */
  private static void writeJars(List<Path> jars, Path archive) throws IOException {
    Path fresh = archive.resolveSibling("server.zip.new");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(fresh))) {
      for (Path path : jars) {
        byte[] bytes = withoutSignatures(path);
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        ZipEntry entry = new ZipEntry(path.getFileName().toString());
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(checksum.getValue());
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(bytes);
      }
    }
    Files.move(fresh, archive, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] withoutSignatures(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile(), false)) {
      boolean signed =
          jar.stream().anyMatch(entry -> entry.getName().matches("META-INF/[^/]*\\.SF"));
      boolean natives = jar.stream().anyMatch(entry -> isNative(entry.getName()));
      if (!signed && !natives) {
        return Files.readAllBytes(path);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ZipOutputStream zip = new ZipOutputStream(out)) {
        for (JarEntry entry : Collections.list(jar.entries())) {
          String name = entry.getName();
          if (isNative(name) || name.matches("META-INF/[^/]*\\.(SF|DSA|RSA|EC)")) {
            continue;
          }
          ZipEntry copy = new ZipEntry(name);
          copy.setTime(0);
          zip.putNextEntry(copy);
          jar.getInputStream(entry).transferTo(zip);
        }
      }
      return out.toByteArray();
    }
  }
}
