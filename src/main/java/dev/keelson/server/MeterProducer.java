package dev.keelson.server;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Gives the server's registry to the Quarkus extension of Micrometer, whose binders (JVM, process,
 * system, Netty) then register in it. The extension itself serves no path; {@code /metrics} does.
 */
@Singleton
final class MeterProducer {

  @Produces
  @Singleton
  MeterRegistry meters() {
    return Launch.await().meters();
  }
}
