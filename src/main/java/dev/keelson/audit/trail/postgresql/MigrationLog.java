package dev.keelson.audit.trail.postgresql;

import org.flywaydb.core.api.logging.Log;
import org.jboss.logging.Logger;

/** Flyway's messages in the server's log; what it reports of each start is of level debug there. */
final class MigrationLog implements Log {

  private static final Logger LOG = Logger.getLogger(MigrationLog.class);

  @Override
  public void debug(String message) {
    LOG.trace(message);
  }

  @Override
  public void info(String message) {
    LOG.debug(message);
  }

  @Override
  public void notice(String message) {
    LOG.debug(message);
  }

  @Override
  public void warn(String message) {
    LOG.warnf("event=audit-trail-migration warning=%s", message);
  }

  @Override
  public void error(String message) {
    LOG.errorf("event=audit-trail-migration error=%s", message);
  }

  @Override
  public void error(String message, Exception cause) {
    LOG.errorf(cause, "event=audit-trail-migration error=%s", message);
  }
}
