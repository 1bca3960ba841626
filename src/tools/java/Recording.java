import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import jdk.internal.misc.Unsafe;

/**
 * The classes that the start of a server loads, which answers a few requests.
 *
 * @param order the classes in the order in which they were loaded; with {@link #LOADED_ONLY} before
 *     the name of each that was not initialized, so that it need not be verified, and {@link
 *     #STARTED} before those that the requests have loaded
 * @param loaded the names of these, of all classes that verifying them loads, and of those that
 *     cannot be loaded since a library is not there
 */
record Recording(List<String> order, Set<String> loaded) {

  static final String LOADED_ONLY = "-";
  static final String STARTED = "";

  /**
   * Netty looks for the provider of Bouncy Castle when it first accepts TLS, and makes one, with
   * 350 classes, to find out that it is not in use. Keelson uses parts of Bouncy Castle that need
   * no provider.
   */
  static final String HIDDEN = "org.bouncycastle.jce.provider.BouncyCastleProvider";

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

  /** Remembers which classes are asked for, in their order. */
  private static final class Recorder extends URLClassLoader {

    private final Map<String, byte[]> classes;
    private final Set<String> broken = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Set<String> names = Collections.synchronizedSet(new LinkedHashSet<>());

    Recorder(URL[] jars, Map<String, byte[]> classes) {
      super(jars, ClassLoader.getPlatformClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.equals(HIDDEN)) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = classes.get(name);
      try {
        Class<?> found =
            bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
        names.add(name);
        return found;
      } catch (NoClassDefFoundError e) {
        // of an optional library; looked for again by the next start
        broken.add(name);
        throw e;
      }
    }
  }

  /**
   * Starts a server.
   *
   * @param policy the audit policy
   * @param classes those that are not as in the jars, by their names
   * @param keys the directory of keys and certificates, which are made if there are none
   */
  static Recording of(List<Path> jars, Path policy, Map<String, byte[]> classes, Path keys)
      throws Exception {
    Path data = Files.createTempDirectory("keelson-record");
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    Recorder recorder = new Recorder(urls, classes);
    Thread.currentThread().setContextClassLoader(recorder);
    // as keelson-junit does
    Class<?> sqlite = recorder.loadClass("dev.keelson.sqlite.DriverLibrary");
    sqlite.getMethod("share", Path.class).invoke(null, data);
    Class<?> type = recorder.loadClass("dev.keelson.server.EmbeddedServer");
    AutoCloseable server =
        (AutoCloseable)
            type.getMethod("start", List.class)
                .invoke(
                    null,
                    List.of(
                        "--data-dir=" + data.resolve("data"),
                        "--cert-dir=" + keys,
                        "--sqlite-synchronous=OFF",
                        "--authorization-mode=Node,RBAC",
                        "--allow-privileged=true",
                        "--console=false",
                        "--leader-elect=false",
                        "--shutdown-delay-duration=0s",
                        "--audit-policy-file=" + policy,
                        "--audit-log-path=" + data.resolve("audit.log"),
                        "--audit-log-maxsize=1000"));
    int started = recorder.names.size();
    Method apply = type.getMethod("apply", String.class, String.class);
    apply.invoke(server, OBJECTS, "recorded");
    type.getMethod("kubeconfig", String.class, List.class).invoke(server, "recorded", List.of());
    request((Integer) type.getMethod("port").invoke(server));
    List<String> names;
    synchronized (recorder.names) {
      names = List.copyOf(recorder.names);
    }
    List<String> order = new ArrayList<>();
    for (String name : names) {
      if (order.size() == started) {
        order.add(STARTED);
      }
      boolean initialized =
          !Unsafe.getUnsafe().shouldBeInitialized(Class.forName(name, false, recorder));
      order.add(initialized ? name : LOADED_ONLY + name);
    }
    server.close();
    for (String name : order) {
      if (!name.equals(STARTED) && !name.startsWith(LOADED_ONLY)) {
        // as keelson-junit links it
        Class.forName(name, false, recorder).getFields();
      }
    }
    synchronized (recorder.names) {
      Set<String> loaded = new LinkedHashSet<>(recorder.names);
      loaded.addAll(recorder.broken);
      return new Recording(order, loaded);
    }
  }

  /** Requests by TLS, which load the classes of a handshake. */
  private static void request(int port) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Everyone()}, null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      for (String path : List.of("/version", "/api/v1/namespaces", "/readyz")) {
        client.send(
            HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .build(),
            HttpResponse.BodyHandlers.discarding());
      }
    }
  }

  /** Trusts the server that this program has started itself. */
  private static final class Everyone extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
