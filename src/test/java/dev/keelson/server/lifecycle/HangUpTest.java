package dev.keelson.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Signals;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HangUpTest {

  @Test
  void handle_signalsFromAnotherProcess_runTheActionAndTheProcessGoesOn() throws Exception {
    Signals.assumeHangUpArrives();
    Semaphore seen = new Semaphore(0);
    HangUp.handle(seen::release);

    Signals.hangUp(ProcessHandle.current().pid());
    assertThat(seen.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    Signals.hangUp(ProcessHandle.current().pid());
    assertThat(seen.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
  }
}
