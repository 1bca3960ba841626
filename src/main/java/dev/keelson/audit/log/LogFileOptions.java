package dev.keelson.audit.log;

import java.nio.file.Path;

/**
 * A log file and its rotation.
 *
 * @param path the file that is written to
 * @param maxAgeDays rotated files older than this are deleted; 0 keeps them
 * @param maxBackups how many rotated files are kept; 0 keeps all
 * @param maxSizeMegabytes the file is rotated before it gets larger; 0 is 100, as in Kubernetes
 * @param compress whether rotated files are compressed with gzip
 */
public record LogFileOptions(
    Path path, int maxAgeDays, int maxBackups, int maxSizeMegabytes, boolean compress) {

  private static final int DEFAULT_MEGABYTES = 100;
  private static final long MEGABYTE = 1024 * 1024;

  /** The size in bytes at which the file is rotated. */
  long maxBytes() {
    return (maxSizeMegabytes == 0 ? DEFAULT_MEGABYTES : maxSizeMegabytes) * MEGABYTE;
  }
}
