package dev.keelson.audit.webhook;

import dev.keelson.audit.EventWriter;
import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.EventList;
import java.io.IOException;
import java.util.List;

/**
 * Posts events, and posts them again after any failure: there is hardly an error that another
 * attempt could not overcome. Safe for use by any thread; an interrupt ends the attempts.
 *
 * @param name the name in metrics and logs
 */
public record WebhookWriter(String name, EventPost webhook, BackOff backOff)
    implements EventWriter {

  @Override
  public void write(List<Event> events) throws IOException {
    byte[] json = EventList.of(events);
    for (int attempt = 1; ; attempt++) {
      try {
        webhook.post(json);
        return;
      } catch (IOException e) {
        if (attempt == BackOff.ATTEMPTS || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        pause(attempt, e);
      }
    }
  }

  private void pause(int attempt, IOException why) throws IOException {
    try {
      Thread.sleep(backOff.after(attempt));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw why;
    }
  }

  @Override
  public void close() {
    // connections are closed by the client that owns them
  }
}
