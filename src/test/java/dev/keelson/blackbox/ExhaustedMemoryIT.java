package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.blackbox.attack.Target;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose memory is exhausted ends, so that a supervisor starts it again. */
@Timeout(180)
class ExhaustedMemoryIT {

  private static final int BODY = KeelsonProcess.isNative() ? (3 << 20) - 1 : 2 << 20;

  /** The exit code of ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  @Test
  void process_endsWithAnExitCode(@TempDir Path directory) throws IOException {
    // less than the budget of bodies, which is at least 32 MiB, with what the server itself needs
    int heap = KeelsonProcess.isNative() ? 24 : 40;
    try (KeelsonProcess server = KeelsonProcess.startWithHeap(directory, heap);
        Target target = new Target(server, 1)) {
      String body = " ".repeat(BODY - 1);
      assertThat(Target.ask(target.user(), "GET /healthz HTTP/1.1\r\nHost: k\r\n\r\n"))
          .isEqualTo(200);
      try {
        for (int i = 0; i < 24; i++) {
          Target.send(
              target.user(),
              "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: k\r\n"
                  + "Content-Type: application/json\r\nContent-Length: "
                  + BODY
                  + "\r\n\r\n"
                  + body);
        }
      } catch (IOException ended) {
        // as it should, unless it is alive
        assertThat(server.awaitEnd()).isEqualTo(OUT_OF_MEMORY);
      }

      assertThat(server.awaitEnd()).isEqualTo(OUT_OF_MEMORY);
    }
  }
}
