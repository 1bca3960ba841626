package dev.keelson.server.lifecycle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * The pages of the native executable that the process has read: code, and objects that the build
 * made. A start reads a third of them, most of it once; they count as resident until they are
 * released, after which the page cache of the system may keep them or not. The next use of a page
 * maps it again, with its neighbours, in about a microsecond if the page cache has it.
 */
final class ExecutablePages {

  private static final Logger LOG = Logger.getLogger(ExecutablePages.class);

  private static final Path SELF = Path.of("/proc/self/exe");
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  private ExecutablePages() {}

  /** Releases memory of this process. */
  @FunctionalInterface
  interface Release {

    /**
     * Unmaps pages that the process can map again as they were.
     *
     * @param address of the first page
     * @param bytes a multiple of the page size
     */
    void unmap(long address, long bytes);
  }

  /**
   * A part of the address space.
   *
   * @param address of its first page
   */
  record Range(long address, long bytes) {}

  /** Releases the pages of this process's executable; does nothing where /proc is not mounted. */
  static void release(Release release) {
    try {
      String executable = SELF.toRealPath().toString();
      // one byte a character: the file may have paths in other encodings
      List<String> mappings = Files.readAllLines(MAPPINGS, StandardCharsets.ISO_8859_1);
      for (Range range : unchanged(mappings, executable)) {
        release.unmap(range.address(), range.bytes());
      }
    } catch (IOException e) {
      LOG.debugf("event=executable-pages-kept reason=%s", e.getMessage());
    }
  }

  /**
   * Finds the mappings of a file of which this process has changed no page, and cannot change one.
   *
   * @param smaps the lines of /proc/PID/smaps (source: proc_pid_smaps(5))
   */
  static List<Range> unchanged(List<String> smaps, String file) {
    List<Range> found = new ArrayList<>();
    Range range = null;
    for (String line : smaps) {
      String[] words = line.split(" +", 6);
      if (words[0].endsWith(":")) {
        if (range != null && words[0].equals("Anonymous:") && words[1].equals("0")) {
          found.add(range);
        }
      } else {
        boolean fits = words.length == 6 && words[5].equals(file) && words[1].matches("r-[-x]p");
        range = fits ? range(words[0]) : null;
      }
    }
    return found;
  }

  private static Range range(String addresses) {
    int dash = addresses.indexOf('-');
    long begin = Long.parseUnsignedLong(addresses, 0, dash, 16);
    long end = Long.parseUnsignedLong(addresses, dash + 1, addresses.length(), 16);
    return new Range(begin, end - begin);
  }
}
