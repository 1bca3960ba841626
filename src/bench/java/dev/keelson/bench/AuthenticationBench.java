package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * Measures the cost of authentication and authorization: reads of one ConfigMap by certificate,
 * static token, OpenID Connect token and service account token, with RBAC and 1,000 bindings,
 * beside anonymous reads of a server that allows everything. Each alternates with the open reads,
 * so that noise affects both; the medians are compared.
 */
public final class AuthenticationBench {

  private static final String MAP = "/api/v1/namespaces/default/configmaps/one";
  private static final int BINDINGS = 1000;
  private static final int CLIENTS = 16;
  private static final int ROUNDS = 3;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration MEASURED = Duration.ofSeconds(3);
  private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

  private final PrintStream out;

  /** A kind of credential. */
  private record Way(HttpClient client, HttpRequest request, KeelsonProcess server) {}

  /** Reads a second, and the server's processor time for each. */
  private record Rate(double perSecond, double cpuMicros) {}

  private AuthenticationBench(PrintStream out) {
    this.out = out;
  }

  /** Runs everything; takes two minutes and leaves {@code target/bench/authentication.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("authentication.txt")),
            true,
            StandardCharsets.UTF_8)) {
      new AuthenticationBench(file).run(Files.createTempDirectory(directory, "authn"));
    }
  }

  private void run(Path directory) throws Exception {
    say("load average before: %s", Files.readString(Path.of("/proc/loadavg")).strip());
    TestAuthority clients = TestAuthority.root("clients", Period.now());
    Path clientFile = Files.writeString(directory.resolve("clients.pem"), clients.pem());
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "static-token,ann,7,dev\n");
    try (IdentityProvider provider = new IdentityProvider()) {
      provider.key("k", "RSA");
      Path authority =
          Files.writeString(directory.resolve("provider.pem"), provider.certificatePem());
      List<String> flags =
          List.of(
              "--authorization-mode=RBAC",
              "--client-ca-file=" + clientFile,
              "--token-auth-file=" + tokens,
              "--oidc-issuer-url=" + provider.url(),
              "--oidc-client-id=kubernetes",
              "--oidc-username-prefix=-",
              "--oidc-ca-file=" + authority);
      try (KeelsonProcess open = KeelsonProcess.start(directory.resolve("open"), List.of());
          KeelsonProcess guarded = KeelsonProcess.start(directory.resolve("guarded"), flags)) {
        create(open, "/api/v1/namespaces/default/configmaps", configMap());
        create(guarded, "/api/v1/namespaces/default/configmaps", configMap());
        String account = prepare(guarded);
        SSLContext nobody = guarded.kubeconfig().asNobody();
        SSLContext ann = clients.identity("CN=ann").trusting(guarded.kubeconfig().authority());
        String oidc =
            provider.token("k", "RS256", provider.claims(Instant.now(), Map.of("sub", "ann")));
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("certificate, RBAC", way(guarded, ann, ""));
        ways.put("static token, RBAC", way(guarded, nobody, "static-token"));
        ways.put("OpenID Connect token, RBAC", way(guarded, nobody, oidc));
        ways.put("service account token, RBAC", way(guarded, nobody, account));
        compare(way(open, open.kubeconfig().asNobody(), ""), ways);
      }
    }
  }

  private static Way way(KeelsonProcess server, SSLContext tls, String token) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.address().resolve(MAP));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return new Way(client(tls), request.build(), server);
  }

  /** Every guarded way next to the open one, so that both servers have run equally long. */
  private void compare(Way open, Map<String, Way> guarded) throws Exception {
    for (Way way : guarded.values()) {
      Rate first = load(open, WARM_UP);
      Rate second = load(way, WARM_UP);
      if (first.perSecond == 0 || second.perSecond == 0) {
        throw new IllegalStateException("nothing was answered");
      }
    }
    List<Rate> base = new ArrayList<>();
    Map<String, List<Rate>> rates = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, Way> way : guarded.entrySet()) {
        base.add(load(open, MEASURED));
        rates
            .computeIfAbsent(way.getKey(), _ -> new ArrayList<>())
            .add(load(way.getValue(), MEASURED));
      }
    }
    Rate beside = median(base);
    say("anonymous, AlwaysAllow", beside, beside);
    rates.forEach((name, all) -> say(name, median(all), beside));
  }

  private void say(String name, Rate rate, Rate base) {
    say(
        "  GET of one ConfigMap, %-29s %,7.0f/s (%3.0f %%), %4.0f µs of CPU each (%3.0f %%)",
        name + ":",
        rate.perSecond,
        100 * rate.perSecond / base.perSecond,
        rate.cpuMicros,
        100 * rate.cpuMicros / base.cpuMicros);
  }

  private static Rate median(List<Rate> rates) {
    List<Rate> sorted = new ArrayList<>(rates);
    sorted.sort((a, b) -> Double.compare(a.perSecond, b.perSecond));
    return sorted.get(sorted.size() / 2);
  }

  /** Everybody's bindings, and one for each of those who read; returns an account's token. */
  private static String prepare(KeelsonProcess server) throws Exception {
    String bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<String>> made = new ArrayList<>();
      for (int i = 0; i < BINDINGS; i++) {
        String body = binding("b" + i, "User", "user-" + i);
        made.add(threads.submit(() -> create(server, bindings, body)));
      }
      for (Future<String> one : made) {
        String unused = one.get();
      }
    }
    String ann = create(server, bindings, binding("ann", "User", "ann"));
    String accounts = "/api/v1/namespaces/default/serviceaccounts";
    String account =
        create(
            server,
            accounts,
            "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"sa\"}}");
    String bound =
        create(server, bindings, binding("sa", "User", "system:serviceaccount:default:sa"));
    if (ann.isEmpty() || account.isEmpty() || bound.isEmpty()) {
      throw new IllegalStateException("an empty answer");
    }
    Matcher token =
        TOKEN.matcher(
            create(
                server,
                accounts + "/sa/token",
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\"}"));
    if (!token.find()) {
      throw new IllegalStateException("no token");
    }
    return token.group(1);
  }

  private static String binding(String name, String kind, String subject) {
    return """
    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
     "metadata":{"name":"%s"},
     "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},
     "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"%s","name":"%s"}]}\
    """
        .formatted(name, kind, subject);
  }

  private static String configMap() {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"one\"},"
        + "\"data\":{\"k\":\""
        + "v".repeat(1024)
        + "\"}}";
  }

  private static String create(KeelsonProcess server, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer =
        administrator(server).send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IllegalStateException(path + ": " + answer.body());
    }
    return answer.body();
  }

  private static final Map<URI, HttpClient> ADMINISTRATORS =
      new java.util.concurrent.ConcurrentHashMap<>();

  private static HttpClient administrator(KeelsonProcess server) {
    return ADMINISTRATORS.computeIfAbsent(
        server.address(), _ -> client(server.kubeconfig().asUser()));
  }

  private static HttpClient client(SSLContext tls) {
    return HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
  }

  private static Rate load(Way way, Duration time) throws Exception {
    LongAdder count = new LongAdder();
    Duration before = way.server.cpuTime();
    long begin = System.nanoTime();
    long end = begin + time.toNanos();
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<?>> loops = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        loops.add(
            threads.submit(
                () -> {
                  while (System.nanoTime() < end) {
                    HttpResponse<byte[]> answer =
                        way.client.send(way.request, HttpResponse.BodyHandlers.ofByteArray());
                    if (answer.statusCode() != 200) {
                      throw new IllegalStateException("status " + answer.statusCode());
                    }
                    count.increment();
                  }
                  return null;
                }));
      }
      for (Future<?> loop : loops) {
        Object unused = loop.get();
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Duration cpu = way.server.cpuTime().minus(before);
    return new Rate(count.sum() / seconds, cpu.toNanos() / 1e3 / Math.max(1, count.sum()));
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }
}
