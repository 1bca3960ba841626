import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Makes the AOT cache of the JVM build (JEP 483, JEP 515): the loaded and linked classes and the
 * profiles of a training run, in which the server is sent what clients send first. A server that is
 * started with it needs half the processor time until it is ready, and its methods are compiled
 * without being counted first.
 *
 * <p>{@code java AotCache DIRECTORY COMMAND...}: the directory is that of the packaged server
 * (quarkus-app); {@code keelson.jar} is written there, which names all its jars in its manifest,
 * since the cache covers only classes of the JVM's own class loader; then the command is run with
 * {@code -XX:AOTCacheOutput=DIRECTORY/keelson.aot} in KEELSON_JAVA_OPTS, or in place of the word
 * {@code @aot}. A cache is of use to the very same JVM and jars; any other JVM starts without it.
 *
 * <p>In place of jars of which the cache would not have all classes, {@code keelson.jar} names
 * copies in the directory {@code aot}: signed jars without their signatures, whose classes no cache
 * may have and the JVM verifies one by one, and the server's own with {@link Desugared#ofUncached}.
 */
public final class AotCache {

  private static final Pattern READY = Pattern.compile("(https://\\S+:\\d+) in ");
  private static final String TOKEN = "training";
  private static final int ROUNDS = 25;
  private static final String CLASS = ".class";
  private static final String COPIES = "aot";
  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]*\\.(SF|DSA|RSA|EC)");

  /** Rounds between two watches, which take a second each. */
  private static final int WATCH_EVERY = 10;

  private static final Duration START = Duration.ofMinutes(2);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String JSON = "application/json";
  private static final String TABLE =
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

  private final URI server;
  private final HttpClient client;

  private AotCache(URI server, HttpClient client) {
    this.server = server;
    this.client = client;
  }

  /** Writes {@code keelson.jar} and {@code keelson.aot}; fails if a step of the training fails. */
  public static void main(String... arguments) throws Exception {
    Path directory = Path.of(arguments[0]).toAbsolutePath();
    Path cache = directory.resolve("keelson.aot");
    boolean unused = Files.deleteIfExists(cache);
    writeJar(directory);
    Path data = Files.createTempDirectory("keelson-aot");
    try {
      train(List.of(arguments).subList(1, arguments.length), data, cache);
    } finally {
      delete(data);
    }
  }

  private static void writeJar(Path directory) throws IOException {
    List<String> own = new ArrayList<>();
    // what the build has changed hides what it has changed
    for (String part :
        List.of("quarkus/transformed-bytecode.jar", "quarkus/generated-bytecode.jar")) {
      if (Files.exists(directory.resolve(part))) {
        own.add(part);
      }
    }
    own.addAll(jars(directory, "app"));
    List<String> others = new ArrayList<>(jars(directory, "lib/boot"));
    others.addAll(jars(directory, "lib/main"));
    delete(directory.resolve(COPIES));
    List<String> all = new ArrayList<>(own);
    all.addAll(others);
    try (URLClassLoader classes =
        new URLClassLoader(urls(directory, all), ClassLoader.getPlatformClassLoader())) {
      ClassHierarchyResolver resolver = ClassHierarchyResolver.ofResourceParsing(classes).cached();
      own.replaceAll(uncheckedOf(jar -> copied(directory, jar, Optional.of(resolver))));
    }
    others.replaceAll(
        uncheckedOf(
            jar ->
                isSigned(directory.resolve(jar)) ? copied(directory, jar, Optional.empty()) : jar));
    own.addAll(others);
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, "dev.keelson.server.Main");
    main.put(Attributes.Name.CLASS_PATH, String.join(" ", own));
    main.putValue("Add-Opens", "java.base/java.lang");
    try (OutputStream file = Files.newOutputStream(directory.resolve("keelson.jar"))) {
      new JarOutputStream(file, manifest).close();
    }
  }

  private static List<String> jars(Path directory, String part) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(part))) {
      return files.map(file -> part + "/" + file.getFileName()).sorted().toList();
    }
  }

  private static URL[] urls(Path directory, List<String> jars) throws IOException {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = directory.resolve(jars.get(i)).toUri().toURL();
    }
    return urls;
  }

  /** A function that may fail to read or write a file. */
  @FunctionalInterface
  private interface FileFunction {
    String apply(String jar) throws IOException;
  }

  private static UnaryOperator<String> uncheckedOf(FileFunction function) {
    return jar -> {
      try {
        return function.apply(jar);
      } catch (IOException e) {
        throw new UncheckedIOException(jar, e);
      }
    };
  }

  private static boolean isSigned(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      return file.stream().anyMatch(entry -> SIGNATURE.matcher(entry.getName()).matches());
    }
  }

  /**
   * Copies a jar without signatures.
   *
   * @param resolver for the jars of the server, whose classes are changed
   * @return the name of the copy
   */
  private static String copied(
      Path directory, String jar, Optional<ClassHierarchyResolver> resolver) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    Manifest manifest;
    try (JarFile source = new JarFile(directory.resolve(jar).toFile(), false)) {
      manifest = Objects.requireNonNullElseGet(source.getManifest(), Manifest::new);
      for (JarEntry entry : Collections.list(source.entries())) {
        String name = entry.getName();
        if (!entry.isDirectory()
            && !name.equals(JarFile.MANIFEST_NAME)
            && !SIGNATURE.matcher(name).matches()) {
          try (InputStream stream = source.getInputStream(entry)) {
            files.put(name, stream.readAllBytes());
          }
        }
      }
    }
    // the digests of the files
    manifest.getEntries().clear();
    manifest.getMainAttributes().putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
    resolver.ifPresent(each -> desugar(files, each));
    String copy = COPIES + "/" + Path.of(jar).getFileName();
    Files.createDirectories(directory.resolve(COPIES));
    try (JarOutputStream out =
        new JarOutputStream(Files.newOutputStream(directory.resolve(copy)), manifest)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        out.putNextEntry(new JarEntry(file.getKey()));
        out.write(file.getValue());
      }
    }
    return copy;
  }

  private static void desugar(Map<String, byte[]> files, ClassHierarchyResolver resolver) {
    Desugared desugared = Desugared.ofUncached(resolver);
    files.forEach(
        (name, bytes) -> {
          if (name.endsWith(CLASS) && !name.startsWith("META-INF/")) {
            desugared.add(name.substring(0, name.length() - CLASS.length()), bytes);
          }
        });
    desugared.failed().forEach(each -> System.out.println("keelson.aot: unchanged " + each));
    desugared.classes().forEach((name, bytes) -> files.put(name + CLASS, bytes));
  }

  private static void train(List<String> command, Path data, Path cache) throws Exception {
    Path tokens = Files.writeString(data.resolve("tokens"), TOKEN + ",training,1,system:masters\n");
    String option = "-XX:AOTCacheOutput=" + cache;
    List<String> words = new ArrayList<>(command);
    words.replaceAll(word -> word.equals("@aot") ? option : word);
    words.addAll(
        List.of(
            "--secure-port=0",
            "--data-dir=" + data.resolve("server"),
            "--token-auth-file=" + tokens,
            "--simulated-nodes=1"));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("KEELSON_RUNTIME", "jvm");
    if (!command.contains("@aot")) {
      builder.environment().put("KEELSON_JAVA_OPTS", option);
    }
    Process process = builder.start();
    List<String> log = new ArrayList<>();
    CompletableFuture<URI> ready = new CompletableFuture<>();
    Thread reader = Thread.ofPlatform().daemon().start(() -> read(process, log, ready));
    try {
      URI server = ready.get(START.toSeconds(), TimeUnit.SECONDS);
      Path authority = data.resolve("server").resolve("pki").resolve("ca.crt");
      for (HttpClient.Version version : HttpClient.Version.values()) {
        try (HttpClient client =
            HttpClient.newBuilder().version(version).sslContext(trusting(authority)).build()) {
          new AotCache(server, client).play(version);
        }
      }
      // a clean end, when the JVM writes the cache; Process.destroy would close its output as well
      boolean unused = process.toHandle().destroy();
      if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server does not end");
      }
      if (!Files.exists(cache)) {
        throw new IllegalStateException("the JVM wrote no " + cache);
      }
    } catch (Exception e) {
      log.forEach(System.err::println);
      throw e;
    } finally {
      process.destroyForcibly().waitFor();
      reader.join();
    }
  }

  private static void read(Process process, List<String> log, CompletableFuture<URI> ready) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.add(line);
        Matcher found = READY.matcher(line);
        if (found.find()) {
          boolean unused = ready.complete(URI.create(found.group(1)));
        }
      }
    } catch (IOException e) {
      log.add(e.toString());
    }
    boolean unused = ready.completeExceptionally(new IllegalStateException("the server ended"));
  }

  private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream certificate = Files.newInputStream(authority)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** What kubectl and controllers send first, often enough that the JVM has profiles of it. */
  private void play(HttpClient.Version version) throws IOException, InterruptedException {
    String prefix = version == HttpClient.Version.HTTP_2 ? "two" : "one";
    for (String path :
        List.of(
            "/version",
            "/readyz",
            "/api",
            "/apis",
            "/api/v1",
            "/apis/apps/v1",
            "/openapi/v2",
            "/openapi/v3",
            "/openapi/v3/apis/apps/v1",
            "/metrics")) {
      send("GET", path, JSON, null, null);
    }
    send(
        "GET",
        "/apis",
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        null,
        null);
    for (int i = 0; i < ROUNDS; i++) {
      String name = prefix + "-" + i;
      String meta =
          "\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"app\":\"" + name + "\"}}";
      send("POST", MAPS, JSON, JSON, "{" + meta + ",\"data\":{\"key\":\"value\"}}");
      send(
          "POST",
          PODS,
          JSON,
          JSON,
          "{" + meta + ",\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
      send(
          "PATCH",
          MAPS + "/" + name,
          JSON,
          "application/merge-patch+json",
          "{\"data\":{\"other\":\"" + i + "\"}}");
      send(
          "PATCH",
          PODS + "/" + name,
          JSON,
          "application/strategic-merge-patch+json",
          "{\"metadata\":{\"annotations\":{\"a\":\"" + i + "\"}}}");
      send(
          "PATCH",
          DEPLOYMENTS + "/" + name + "?fieldManager=training",
          JSON,
          "application/apply-patch+yaml",
          "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
              + meta
              + ",\"spec\":{\"replicas\":1,\"selector\":{\"matchLabels\":{\"app\":\""
              + name
              + "\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\""
              + name
              + "\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}");
      for (String path : List.of(MAPS, PODS, DEPLOYMENTS)) {
        send("GET", path + "/" + name, JSON, null, null);
        send("GET", path, TABLE, null, null);
        send("GET", path + "?limit=500", JSON, null, null);
        send("GET", path, "application/vnd.kubernetes.protobuf", null, null);
        if (i % WATCH_EVERY == 1) {
          send("GET", path + "?watch=true&timeoutSeconds=1&resourceVersion=0", JSON, null, null);
        }
      }
    }
    for (int i = 0; i < ROUNDS; i++) {
      for (String path : List.of(MAPS, PODS, DEPLOYMENTS)) {
        send("DELETE", path + "/" + prefix + "-" + i, JSON, null, null);
      }
    }
  }

  private void send(String method, String path, String accept, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Accept", accept)
            .header("User-Agent", "kubectl/v1.36.0 (linux/amd64) kubernetes/0000000")
            .timeout(START)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (type != null) {
      request.header("Content-Type", type);
    }
    HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(
          method
              + " "
              + path
              + ": "
              + response.statusCode()
              + " "
              + new String(response.body(), StandardCharsets.UTF_8));
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
