/* Prints the manifest that a header of `tilec --emit=header` holds, or the PTX
   of the variant that is named. */
#include HEADER

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc == 1)
    fputs(matmul_manifest, stdout);
  for (unsigned i = 0; i < sizeof(matmul_variants) / sizeof(*matmul_variants); ++i)
    if (argc == 2 && strcmp(matmul_variants[i].name, argv[1]) == 0)
      fputs(matmul_variants[i].ptx, stdout);
  return 0;
}
