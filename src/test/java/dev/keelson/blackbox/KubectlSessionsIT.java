package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.blackbox.session.Session;
import dev.keelson.blackbox.session.SessionRun;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole sessions with kubectl, {@code sessions/*.txt}, with what is printed in front of
 * kube-apiserver. They have a namespace each, on one server with all controllers for those that say
 * so and one with few for the others; as many run at a time as there are processors. {@code
 * -Dkeelson.sessions=NAME,NAME} selects some.
 */
@Timeout(600)
class KubectlSessionsIT {

  private static final List<String> FLAGS =
      List.of("--authorization-mode=Node,RBAC", "--allow-privileged=true");

  private static final String SELECTED = System.getProperty("keelson.sessions", "");

  private static List<Session> sessions() throws IOException {
    URL directory =
        Objects.requireNonNull(KubectlSessionsIT.class.getResource("/sessions"), "sessions");
    try (Stream<Path> files = Files.list(Path.of(directory.toURI()))) {
      return files
          .filter(file -> file.toString().endsWith(".txt"))
          .sorted()
          .map(KubectlSessionsIT::session)
          .filter(KubectlSessionsIT::isSelected)
          .toList();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Session session(Path file) {
    String name = file.getFileName().toString().replace(".txt", "");
    try {
      return Session.parse(name, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSelected(Session session) {
    return SELECTED.isEmpty() || List.of(SELECTED.split(",", -1)).contains(session.name());
  }

  @TestFactory
  Stream<DynamicTest> session_printsWhatKubernetesPrints(@TempDir Path files) throws IOException {
    List<Session> sessions = sessions();
    Map<String, String> differences = new ConcurrentSkipListMap<>();
    runAll(sessions, false, files.resolve("few"), differences);
    runAll(sessions, true, files.resolve("all"), differences);
    return sessions.stream()
        .map(
            session ->
                DynamicTest.dynamicTest(
                    session.name(),
                    () -> assertThat(differences.get(session.name())).as("differences").isEmpty()));
  }

  /** Runs those sessions that want all controllers, or those that do not, on one server. */
  private static void runAll(
      List<Session> all, boolean controllers, Path files, Map<String, String> differences)
      throws IOException {
    List<Session> sessions =
        all.stream().filter(session -> session.controllers() == controllers).toList();
    if (sessions.isEmpty()) {
      return;
    }
    Files.createDirectory(files);
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add(controllers ? "--controllers=*" : KeelsonProcess.FEW_CONTROLLERS);
    try (KeelsonProcess server = KeelsonProcess.start(files.resolve("server"), flags)) {
      createNamespaces(new Kubectl(server.kubeconfigFile(), files), sessions);
      try (ExecutorService together =
          Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
        for (Session session : sessions) {
          if (!session.alone()) {
            together.execute(() -> run(session, files, server, differences));
          }
        }
      }
      for (Session session : sessions) {
        if (session.alone()) {
          run(session, files, server, differences);
        }
      }
    }
  }

  /** Runs a session; what goes wrong in the test itself is a difference, too. */
  private static void run(
      Session session, Path files, KeelsonProcess server, Map<String, String> differences) {
    try {
      Path directory = Files.createDirectory(files.resolve(session.name()));
      differences.put(
          session.name(),
          new SessionRun(session, directory, server.kubeconfigFile()).differences());
    } catch (IOException | RuntimeException | AssertionError e) {
      differences.put(session.name(), String.valueOf(e));
    }
  }

  /** A pod needs the service account of its namespace, which a controller creates. */
  private static void createNamespaces(Kubectl kubectl, List<Session> sessions) {
    String manifests =
        sessions.stream()
            .map(each -> "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + each.name() + "}")
            .collect(Collectors.joining("\n---\n"));
    String created = kubectl.runWithInput(manifests, "create", "-f", "-");
    assertThat(created.lines()).hasSameSizeAs(sessions);
    assertEventually(
        () ->
            assertThat(
                    kubectl.run(
                        "get",
                        "serviceaccounts",
                        "-A",
                        "--field-selector=metadata.name=default",
                        "-o=jsonpath={range .items[*]}{.metadata.namespace}{\"\\n\"}{end}"))
                .contains(sessions.stream().map(Session::name).toList()));
  }
}
