package dev.keelson.server.profile;

import java.io.IOException;
import java.nio.file.Path;

/** What a JVM tells of itself, and a native executable does not. */
interface JvmDiagnostics {

  /** A recording that runs. */
  interface Recording extends AutoCloseable {

    /** Ends the recording and writes it to a file. */
    void writeTo(Path file) throws IOException;

    /** Ends the recording; what has not been written is gone. */
    @Override
    void close();
  }

  /** Begins a recording by the JDK's settings for profiling. */
  Recording record() throws IOException;

  /** Writes the stacks of all threads, virtual ones among them, to a file that does not exist. */
  void dumpThreads(Path file) throws IOException;
}
