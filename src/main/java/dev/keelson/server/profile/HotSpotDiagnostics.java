package dev.keelson.server.profile;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;

/** The diagnostics of HotSpot. Loaded by name, so that no native executable contains it. */
public final class HotSpotDiagnostics implements JvmDiagnostics {

  /** For {@link Profiles}. */
  public HotSpotDiagnostics() {}

  @Override
  public Recording record() throws IOException {
    jdk.jfr.Recording recording;
    try {
      recording = new jdk.jfr.Recording(Configuration.getConfiguration("profile"));
    } catch (ParseException e) {
      throw new IOException("the JDK's settings for profiling cannot be read", e);
    }
    recording.setName("keelson");
    recording.start();
    return new Recording() {
      @Override
      public void writeTo(Path file) throws IOException {
        recording.stop();
        recording.dump(file);
      }

      @Override
      public void close() {
        recording.close();
      }
    };
  }

  @Override
  public void dumpThreads(Path file) throws IOException {
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
  }
}
