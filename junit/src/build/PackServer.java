import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
  private static final int ENTRY_BYTES = 5 * Integer.BYTES;
  private static final String OBJECTS =
      """
      {apiVersion: v1, kind: Namespace, metadata: {name: recorded}}
      ---
      {apiVersion: v1, kind: ConfigMap, metadata: {name: recorded, namespace: recorded}, data: {k: v}}
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: recorded.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: recorded, singular: recorded, kind: Recorded, listKind: RecordedList}
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {n: {type: integer}}}}}}
      ---
      {apiVersion: example.com/v1, kind: Recorded, metadata: {name: one, namespace: recorded}, spec: {n: 1}}
      """;

  private PackServer() {}

  /** A file of the index: its name, and its bytes. */
  private record Packed(String name, byte[] bytes) {}

  public static void main(String... arguments) throws Exception {
    Path jars = Path.of(arguments[0]);
    Path directory = Path.of(arguments[1]);
    List<Path> files;
    try (var listed = Files.list(jars)) {
      files = listed.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    Files.createDirectories(directory);
    Set<String> order = record(files);
    writeStart(files, order, directory);
    writeJars(files, directory.resolve("server.zip"));
    System.out.printf("keelson-junit: %d classes of a start%n", order.size());
    // the recorded server has threads that are not daemons
    Runtime.getRuntime().halt(0);
  }

  /** Remembers which classes are asked for, in their order. */
  private static final class Recorder extends URLClassLoader {

    private final Set<String> names = Collections.synchronizedSet(new LinkedHashSet<>());

    Recorder(URL[] jars) {
      super(jars, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      Class<?> found = super.findClass(name);
      names.add(name);
      return found;
    }
  }

  private static Set<String> record(List<Path> jars) throws Exception {
    Path data = Files.createTempDirectory("keelson-record");
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    Recorder recorder = new Recorder(urls);
    Thread.currentThread().setContextClassLoader(recorder);
    Class<?> type = recorder.loadClass("dev.keelson.server.EmbeddedServer");
    Path policy =
        Files.writeString(
            data.resolve("policy.yaml"),
            "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}");
    Object server =
        type.getMethod("start", List.class)
            .invoke(
                null,
                List.of(
                    "--data-dir=" + data.resolve("data"),
                    "--sqlite-synchronous=OFF",
                    "--authorization-mode=Node,RBAC",
                    "--allow-privileged=true",
                    "--console=false",
                    "--leader-elect=false",
                    "--shutdown-delay-duration=0s",
                    "--audit-policy-file=" + policy,
                    "--audit-log-path=" + data.resolve("audit.log"),
                    "--audit-log-maxsize=1000"));
    Method apply = type.getMethod("apply", String.class, String.class);
    apply.invoke(server, OBJECTS, "recorded");
    request(type, server);
    synchronized (recorder.names) {
      return new LinkedHashSet<>(recorder.names);
    }
  }

  /** A request with a client certificate, which loads the classes of a handshake. */
  private static void request(Class<?> type, Object server) throws Exception {
    int port = (Integer) type.getMethod("port").invoke(server);
    var context = javax.net.ssl.SSLContext.getInstance("TLS");
    var trust = new javax.net.ssl.X509ExtendedTrustManager[] {new Everyone()};
    context.init(null, trust, null);
    try (var client = java.net.http.HttpClient.newBuilder().sslContext(context).build()) {
      for (String path : List.of("/version", "/api/v1/namespaces", "/readyz")) {
        client.send(
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create("https://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .build(),
            java.net.http.HttpResponse.BodyHandlers.discarding());
      }
    }
  }

  /** Trusts the server that this program has started itself. */
  private static final class Everyone extends javax.net.ssl.X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(
        java.security.cert.X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(
        java.security.cert.X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public java.security.cert.X509Certificate[] getAcceptedIssuers() {
      return new java.security.cert.X509Certificate[0];
    }
  }

  private static void writeStart(List<Path> jars, Set<String> order, Path directory)
      throws IOException {
    List<Packed> packed = new ArrayList<>();
    Set<String> once = new HashSet<>();
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
        // by the base name: of a multi-release jar, the entry of this release
        for (JarEntry entry : jar.versionedStream().toList()) {
          String name = entry.getName();
          if (entry.isDirectory() || isLeftOut(name)) {
            continue;
          }
          if (isNative(name)) {
            Path target = directory.resolve("native").resolve(name);
            Files.createDirectories(target.getParent());
            try (InputStream stream = jar.getInputStream(entry)) {
              Files.copy(stream, target, StandardCopyOption.REPLACE_EXISTING);
            }
          } else if (!name.endsWith(".class")
              || order.contains(className(name)) && once.add(name)) {
            packed.add(new Packed(name, jar.getInputStream(entry).readAllBytes()));
          }
        }
      }
    }
    packed.add(new Packed(ORDER, String.join("\n", order).getBytes(StandardCharsets.UTF_8)));
    write(packed, directory.resolve("start.bin"));
  }

  private static String className(String file) {
    return file.substring(0, file.length() - ".class".length()).replace('/', '.');
  }

  private static boolean isNative(String name) {
    return name.matches(".*\\.(so|dll|dylib|jnilib)");
  }

  /** What nothing reads at run time; it stays in the jars. */
  private static boolean isLeftOut(String name) {
    return name.startsWith("META-INF/maven/")
        || name.startsWith("META-INF/versions/")
        || name.startsWith("META-INF/quarkus-")
        || name.matches("META-INF/[^/]*\\.(SF|DSA|RSA|EC|MF|LIST|idx)|META-INF/(LICENSE|NOTICE).*")
        || name.endsWith("module-info.class")
        || name.matches(".*\\.(proto|xsd)");
  }

  /**
   * Big-endian: the count; for each file, ordered by the hash of its name and then by its place in
   * the class path, hash, offset and length of the name, offset and length of the bytes; then names
   * and bytes. Offsets are from the begin of the file.
   */
  private static void write(List<Packed> packed, Path file) throws IOException {
    List<Packed> sorted = new ArrayList<>(packed);
    sorted.sort(Comparator.comparingInt((Packed each) -> each.name().hashCode()));
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int nameBytes = 0;
    for (Packed each : sorted) {
      nameBytes += each.name().getBytes(StandardCharsets.UTF_8).length;
    }
    int namesBegin = Integer.BYTES + sorted.size() * ENTRY_BYTES;
    int bytesBegin = namesBegin + nameBytes;
    try (DataOutputStream out =
        new DataOutputStream(new java.io.BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(sorted.size());
      for (Packed each : sorted) {
        byte[] name = each.name().getBytes(StandardCharsets.UTF_8);
        out.writeInt(each.name().hashCode());
        out.writeInt(namesBegin + names.size());
        out.writeInt(name.length);
        out.writeInt(bytesBegin + bytes.size());
        out.writeInt(each.bytes().length);
        names.writeBytes(name);
        bytes.writeBytes(each.bytes());
      }
      names.writeTo(out);
      bytes.writeTo(out);
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
