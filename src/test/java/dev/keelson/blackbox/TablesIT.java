package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What kubectl prints of objects, the ages left out. */
@ServedBy(Backend.SQLITE)
@Timeout(180)
class TablesIT {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Kubectl kubectl;
  private final String namespace = "tables-" + COUNT.incrementAndGet();

  TablesIT(KeelsonProcess server, @TempDir Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
    assertThat(run("create", "namespace", namespace)).endsWith(" created\n");
    assertThat(run("create", "deployment", "web", "--image=web:1", "--replicas=2", "-n", namespace))
        .endsWith(" created\n");
    assertThat(run("run", "p", "--image=web:1", "-n", namespace)).endsWith(" created\n");
    assertThat(run("create", "configmap", "c", "--from-literal=a=b", "-n", namespace))
        .endsWith(" created\n");
  }

  private String run(String... arguments) {
    return kubectl.run(arguments);
  }

  /** The lines of a table, its columns between single spaces and ages as {@code AGE}. */
  private List<String> table(String... arguments) {
    return run(arguments)
        .lines()
        .map(line -> line.strip().replaceAll(" {2,}", " | ").replaceAll("\\b\\d+m?\\d*s\\b", "AGE"))
        .toList();
  }

  @Test
  void get_printsTheColumnsOfKubernetes() {
    assertThat(table("get", "pods", "-n", namespace))
        .containsExactly("NAME | READY | STATUS | RESTARTS | AGE", "p | 0/1 | Pending | 0 | AGE");
    assertThat(table("get", "configmaps", "c", "-n", namespace))
        .containsExactly("NAME | DATA | AGE", "c | 1 | AGE");
    assertThat(table("get", "namespace", namespace))
        .containsExactly("NAME | STATUS | AGE", namespace + " | Active | AGE");
  }

  @Test
  void getWide_printsTheOthersToo() {
    assertThat(table("get", "pods", "-o", "wide", "-n", namespace))
        .containsExactly(
            "NAME | READY | STATUS | RESTARTS | AGE | IP | NODE | NOMINATED NODE | READINESS GATES",
            "p | 0/1 | Pending | 0 | AGE | <none> | <none> | <none> | <none>");
    assertThat(table("get", "deployments", "-o", "wide", "-n", namespace))
        .containsExactly(
            "NAME | READY | UP-TO-DATE | AVAILABLE | AGE | CONTAINERS | IMAGES | SELECTOR",
            "web | 0/2 | 0 | 0 | AGE | web | web:1 | app=web");
  }

  @Test
  void getOfAllNamespacesWithLabels_readsThemFromTheRows() {
    assertThat(table("get", "pods", "-A", "--show-labels", "-l", "run=p"))
        .contains(
            "NAMESPACE | NAME | READY | STATUS | RESTARTS | AGE | LABELS",
            namespace + " | p | 0/1 | Pending | 0 | AGE | run=p");
  }

  @Test
  void getWatch_printsARowAChange() throws Exception {
    Process watch = kubectl.start("get", "configmaps", "c", "-w", "-n", namespace);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).matches("NAME +DATA +AGE");
      assertThat(lines.readLine()).matches("c +1 +\\S+");
      assertThat(run("patch", "configmap", "c", "-n", namespace, "-p", "{\"data\":{\"x\":\"y\"}}"))
          .endsWith(" patched\n");
      assertThat(lines.readLine()).matches("c +2 +\\S+");
    } finally {
      watch.destroy();
    }
  }
}
