package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.endsWith;

import dev.keelson.blackbox.attack.Target;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams of HTTP/2 whose responses are not read, of clients with and without credentials. */
@Timeout(180)
class UnreadStreamsIT {

  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_STREAM_AND_HEADERS = 5;

  /** INITIAL_WINDOW_SIZE 1 */
  private static final byte[] TINY_WINDOW = {0, 4, 0, 0, 0, 1};

  /** :method GET, :scheme https, :path /, :authority k */
  private static final byte[] GET = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x41, 0x01, 'k'};

  private static final int STREAMS = 100;

  /** More than a heap of 128 MiB can keep, at 20 KiB a stream. */
  private static final int CONNECTIONS = 100;

  /** A queue of so many in each of 5,000 watches would take more than the heap. */
  private static final int EVENTS = 12_000;

  @Test
  void connectionsThatHoldTooMuch_areEnded(@TempDir Path directory) throws IOException {
    try (KeelsonProcess server = KeelsonProcess.startWithHeap(directory, 128);
        Target target = new Target(server, 1)) {
      RestClient good = RestClient.nobody(server);
      List<Target.Frames> all = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        all.add(i % 2 == 0 ? target.frames() : target.userFrames());
      }
      int ended = 0;
      for (Target.Frames frames : all) {
        try {
          frames.frame(SETTINGS, 0, 0, TINY_WINDOW);
          for (int stream = 0; stream < STREAMS; stream++) {
            frames.frame(HEADERS, END_STREAM_AND_HEADERS, 2 * stream + 1, GET);
          }
          frames.flush();
        } catch (IOException closed) {
          ended++;
        }
      }
      assertThat(ended).isLessThan(CONNECTIONS);

      Eventually.assertEventually(
          () -> assertThat(all.stream().filter(UnreadStreamsIT::isEnded).count()).isPositive());
      // the store answers late while the processors are busy with the connections that have ended
      Eventually.assertEventually(
          () ->
              good.get("/healthz?verbose")
                  .then()
                  .statusCode(200)
                  .body(endsWith("healthz check passed\n")));
    }
  }

  @Test
  void watchesThatAreNotRead_keepNoEvents(@TempDir Path directory) throws Exception {
    try (KeelsonProcess server = KeelsonProcess.startWithHeap(directory, 160);
        Target target = new Target(server, 1)) {
      String maps = "/api/v1/namespaces/default/configmaps";
      byte[] watch = watchOf(maps);
      for (int i = 0; i < CONNECTIONS; i++) {
        Target.Frames frames = target.userFrames();
        frames.frame(SETTINGS, 0, 0);
        for (int stream = 0; stream < STREAMS / 2; stream++) {
          frames.frame(HEADERS, END_STREAM_AND_HEADERS, 2 * stream + 1, watch);
        }
        frames.flush();
      }

      List<HttpRequest.Builder> creates = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        creates.add(
            HttpRequest.newBuilder(target.uri(maps))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"metadata\":{\"name\":\"m" + i + "\"}}")));
      }
      assertThat(target.flood(Target.Client.USER, creates)).containsOnly(Map.entry(201, EVENTS));

      assertThat(RestClient.administrator(server).get(maps + "?limit=1").statusCode())
          .isEqualTo(200);
    }
  }

  /** A GET of a path of at most 126 characters. */
  private static byte[] watchOf(String maps) {
    byte[] path = (maps + "?watch=1").getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x87, 0x04, (byte) path.length});
    head.writeBytes(path);
    head.writeBytes(new byte[] {0x41, 0x01, 'k'});
    return head.toByteArray();
  }

  /** Whether a connection takes no more frames. */
  private static boolean isEnded(Target.Frames frames) {
    try {
      frames.frame(SETTINGS, 0, 0);
      frames.flush();
      return false;
    } catch (IOException closed) {
      return true;
    }
  }
}
